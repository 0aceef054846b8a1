import { placeOf, type Axis } from '../logic/axis.js';

interface GridProps {
  readonly axis: Axis;
  /** Of the axis, in CSS pixels. */
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
  readonly label: (tick: number) => string;
  /** What the axis shows, and where its end is; the axis's own end when left out. */
  readonly title: string;
  readonly titleEnd?: number;
}

/** A line and a label for each tick of a horizontal axis, zero stronger than the others, and the axis's title. */
export function Grid({ axis, width, top, bottom, label, title, titleEnd = width }: GridProps) {
  return (
    <g className="grid">
      {axis.ticks.map((tick) => {
        const x = Math.round(placeOf(tick, axis) * width) + 0.5;
        return (
          <g key={tick}>
            <line className={tick === 0 ? 'zero' : undefined} x1={x} x2={x} y1={top} y2={bottom} />
            <text x={x} y={bottom + 14} textAnchor="middle">
              {label(tick)}
            </text>
          </g>
        );
      })}
      <text x={titleEnd} y={bottom + 32} textAnchor="end">
        {title}
      </text>
    </g>
  );
}
