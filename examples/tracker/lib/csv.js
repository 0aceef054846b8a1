'use strict';

/**
 * One line of CSV (RFC 4180). A cell that a spreadsheet would run as a formula gets an apostrophe in front,
 * because the titles come from users.
 */
function csvLine(cells) {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value) {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

module.exports = { csvLine };
