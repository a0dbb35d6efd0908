/** Limits of an imported workbook (interpretation 34). Above one of them the file is rejected, never cut. */

/** Bytes of the uploaded file. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** Shipments in the sheet: rows below the header that hold at least one value. */
export const MAX_DATA_ROWS = 10_000;

/** Rows the sheet may describe, blank ones included: a formatted but empty column can describe a million. */
export const MAX_SHEET_ROWS = 50_000;

/** The last column that may hold a value. */
export const MAX_COLUMNS = 128;

/** Bytes of all parts of the package once unpacked, counted while unpacking as well: headers lie. */
export const MAX_UNPACKED_BYTES = 48 * 1024 * 1024;

/** Files inside the package. */
export const MAX_PACKAGE_PARTS = 500;

/** Characters of all cells together, and of the table of shared strings: 10,000 notes of 2,000 fit. */
export const MAX_TEXT_LENGTH = 24 * 1024 * 1024;

/** Characters of one cell: what spreadsheet programs themselves allow. */
export const MAX_CELL_LENGTH = 32_767;

/** Characters of a value that is read at all: twice the longest that a field of a shipment takes. */
export const MAX_VALUE_LENGTH = 4_000;

/** Values in a cell that lists several: more than there are handling options, so that only repetitions exceed it. */
export const MAX_LISTED_VALUES = 20;

/** Cells that all merged ranges may cover together. */
export const MAX_MERGED_CELLS = 200_000;
