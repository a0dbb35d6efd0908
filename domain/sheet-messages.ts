/** What the service says of an imported workbook: a part of the table of sentences (domain/messages.ts). */
export const SHEET_MESSAGES = {
  // Why a file is not read. None is about a row.
  workbook_not_xlsx:
    'The file is not an .xlsx workbook. Save the sheet as .xlsx (Excel workbook) and send that file.',
  workbook_other_format:
    'The file is not an .xlsx workbook but of another format: {format}. Save the sheet as .xlsx (Excel workbook) and send that file.',
  workbook_encrypted: 'The workbook is protected by a password. Remove it and send the file again.',
  workbook_macro:
    'The workbook contains macros. Save it as .xlsx (a workbook without macros) and send that file.',
  workbook_external_links:
    'The workbook refers to other workbooks. Copy the sheet, paste it as values into a new one and send that file.',
  workbook_entities:
    'The workbook declares XML entities, which no spreadsheet program does. Save it again as .xlsx and send that file.',
  workbook_truncated:
    'The workbook is incomplete: its end is missing. Copy or download the file again and send it whole.',
  workbook_damaged:
    'The workbook is damaged. Open it in a spreadsheet program, save it again as .xlsx and send that file.',
  workbook_damaged_row:
    'The workbook is damaged at row {row}. Open it in a spreadsheet program, save it again as .xlsx and send that file.',
  workbook_no_file: 'The file is empty. Send an .xlsx workbook.',
  workbook_empty: 'The sheet “{sheet}” is empty. Download the template, fill it in and send it.',
  workbook_no_header:
    'The sheet “{sheet}” has no header row: none of its first rows names a column such as {column}. Download the template, fill it in and send it.',
  workbook_too_large: 'The workbook is too large. Split it into several smaller ones.',
  workbook_megabytes: 'The file is larger than {megabytes} MB. Split it into several.',
  workbook_parts: 'The workbook has {count} parts, more than {limit}.',
  workbook_unpacked:
    'The workbook unpacks to {megabytes} MB, more than the {limit} MB that can be read. Delete pictures, other sheets and blank formatted rows, or split the file.',
  workbook_columns:
    'Row {row} has a value in column {column}; only the first {limit} columns (to {lastColumn}) can be read. Delete the columns beyond.',
  workbook_long_text: 'A cell holds more than {limit} characters. Shorten it.',
  workbook_long_cell: 'Row {row} has a cell of more than {limit} characters. Shorten it.',
  workbook_characters: 'The cells hold more than {millions} million characters. Split the file into several.',
  workbook_merged:
    'The merged cells ({range}) cover more than {limit} cells. Unmerge them and save the file again.',
  workbook_time: 'The workbook takes too long to read. Split it into several smaller ones.',
  workbook_memory:
    'The workbook needs more memory than an import may use. Split it into several smaller ones.',
  workbook_too_many_rows: 'The sheet has more than {limit} shipments. Split it into several files.',
  workbook_blank_rows:
    'The sheet describes more than {limit} rows, most of them blank. Delete the rows below the last shipment (whole rows, not only their contents) and save the file again.',

  // What the dispatcher should know though nothing failed.
  sheet_without_rows: 'The sheet “{sheet}” has a header but no shipments below it.',
  sheets_ignored: 'Only the sheet “{sheet}” was read; {others} was ignored.',
  hidden_rows: 'Hidden rows were read like the others: {rows}.',
  more_hidden_rows: 'Hidden rows were read like the others: {rows} and {count} more.',
  unknown_columns: 'Unknown columns, ignored: {columns}.',
  same_reference: 'Row {row} has the same reference. Both rows will be created.',

  // What is wrong with a cell. The name of its column stands before it.
  cell_missing: 'missing column or value. Write the {hint}.',
  cell_columns_repeated: 'the columns {columns} have the same meaning. Delete or rename all but one.',
  cell_not_calculated:
    'the formula has no stored result. Open the file in a spreadsheet program, save it and send it again.',
  cell_formula_error: 'the formula returns {error}. Fix it or write the value itself.',
  cell_merged_amount:
    'the amount is merged over several rows from row {row} on. Unmerge the cells and write the amount of each row.',
  cell_too_long: 'the value has {count} characters. Write at most {limit}.',
  cell_became_date:
    'the spreadsheet program turned the value into a date ({value}). Format the column as text and write it again.',
  cell_digits_lost:
    'spreadsheets keep 15 digits of a number; the others are lost. Format the column as text and write it again.',
  cell_no_phone_number:
    '{value} is not a phone number. Format the column as text and write it again in international format, for example +213661234567.',
  cell_phone_is_number:
    'the cell is a number, so a leading + or 0 may be lost ({value}). Format the column as text and write it again in international format, for example +213661234567.',
  cell_phone_without_country:
    'the country is missing ({value}). Format the column as text and write it again in international format, for example +213661234567.',
  cell_postal_code_is_number:
    'the cell is a number, so a leading 0 may be lost ({value}). Format the column as text and write it again with all its digits.',
  cell_no_number: '“{value}” is not a number. Write {hint}, without a unit.',
  cell_ambiguous_amount:
    '“{value}” can be read in two ways. Write thousands without a separator: 1234 or 1.23.',
  cell_no_amount: '“{value}” is not an amount. Write only digits, without a currency: 1250.50.',
  cell_large_amount: 'the amount is too large. Write a smaller one.',
  cell_amount_decimals: '{value} has more than 2 decimals. Round it to 2 decimals.',
  cell_too_many_values: 'the cell lists {count} values. Write each option once.',
  cell_no_pickup_point:
    '“{value}” names no pickup point, or more than one. Write the code or the id of one of your pickup points.',
  cell_no_merchant:
    '“{value}” names no merchant, or more than one. Write the name of one of your merchants, or its id.',
  cell_date_is_number:
    'the cell is a plain number ({value}). Format it as a date, or write for example 2026-03-12 14:00.',
  cell_ambiguous_date: '“{value}” can be read as two dates. Write it as 2026-03-12 or 2026-03-12 14:00.',
  cell_no_date: '“{value}” is not a date and time. Write it as 2026-03-12 or 2026-03-12 14:00.',
} as const;
