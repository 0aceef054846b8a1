import type { ReactNode } from 'react';

interface NoticeProps {
  readonly tone: 'bad' | 'plain' | 'good';
  readonly title: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  readonly children?: ReactNode;
}

/** Something that the person should know, with what can be done about it. */
export function Notice({ tone, title, action, children }: NoticeProps) {
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <p className="title">{title}</p>
      {children !== undefined && <div>{children}</div>}
      {action !== undefined && (
        <button type="button" onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  );
}
