/** Offers a text as a file download. */
export function download(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has opened it before the next task runs.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
