"""Makes the workbooks of this folder; README.md tells which program wrote which."""

import datetime
import subprocess
import sys
import zipfile

import openpyxl
import xlsxwriter
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

HEADERS = [
    "Référence externe", "Prénom *", "Nom", "TÉLÉPHONE", "e-mail", "address-street", "Ville", "code postal",
    "Poids (kg)", "COD amount", "handling options", "notes", "Priorité", "scheduled_after", "scheduled_before",
    "internal remark",
]
ARABIC = "أمينة"
FIRST = ["ORD-1", ARABIC, "Benali-Küçük", "+213 661 23 45 67", "amina@example.com", "12 rue Didouche Mourad",
         "Béjaïa", "06000", 2.5, 1500.5, "Fragile; ID check", "Sonner <2> fois & attendre", "urgent",
         datetime.datetime(2026, 3, 12, 14, 0), "2026-03-13", "x"]
SECOND = ["ORD-2", "Karim", None, 213661234567, None, "3 place de la Liberté", "Oran", 31000, 0.75, None, None,
          None, "HIGH", "2026-03-12T14:00:00+02:00", "12.03.2026 18:30", None]
FAULTY = ["ORD-3", "Nadia", None, 661234567, None, "5 rue des Frères", "Nice", 6000, "deux kilos", "1,234", None,
          None, None, "03/04/2026", None, None]


def with_openpyxl(path):
    """Inline rich text, a hyperlink, a hidden row, a merged city, a formula without a stored value."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Envois"
    sheet.append(HEADERS)
    sheet.append(FIRST)
    sheet["L2"] = CellRichText("Sonner ", TextBlock(InlineFont(b=True), "<2> fois"), " & attendre")
    sheet["E2"].hyperlink = "mailto:amina@example.com"
    sheet.append(SECOND)
    sheet["J3"] = "=1200+34.5"
    sheet.append([])
    sheet.append(FAULTY)
    sheet.row_dimensions[5].hidden = True
    sheet.column_dimensions["P"].hidden = True
    book.create_sheet("Archive")["A1"] = "not to be read"
    book.save(path)


def with_xlsxwriter(path):
    """Shared strings, stored formula values, dates as serials, merged cells, a postal code by its format."""
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet("Envois")
    date = book.add_format({"num_format": "dd/mm/yyyy hh:mm"})
    five_digits = book.add_format({"num_format": "00000"})
    bold = book.add_format({"bold": True})
    sheet.merge_range("A1:D1", "Envois du 12 mars", bold)
    sheet.write_row(1, 0, HEADERS)
    for row, values in ((2, FIRST), (3, SECOND), (5, FAULTY)):
        for column, value in enumerate(values):
            if isinstance(value, datetime.datetime):
                sheet.write_datetime(row, column, value, date)
            elif value is not None:
                sheet.write(row, column, value)
    sheet.write_rich_string("L3", "Sonner ", bold, "<2> fois", " & attendre")
    sheet.write_number("H3", 6000, five_digits)
    sheet.write_formula("J4", "=1200+34.5", None, 1234.5)
    book.add_worksheet("Archive").write(0, 0, "not to be read")
    book.close()


def merged(path):
    """City, street and amount of two parcels merged over their rows."""
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["recipient_first_name", "recipient_phone", "address_street", "address_city", "cod_amount"])
    sheet.write_row(1, 0, ["Amina", "+213661234567"])
    sheet.write_row(2, 0, ["Karim", "+213661234568"])
    sheet.merge_range("C2:C3", "12 rue Didouche Mourad")
    sheet.merge_range("D2:D3", "Alger")
    sheet.merge_range("E2:E3", 5000)
    book.close()


def with_libreoffice(source, extension):
    subprocess.run(["soffice", "--headless", "--convert-to", extension, source], check=True, capture_output=True)


def repacked(source, path, change, stored=False):
    """Copies a workbook, letting `change` rewrite its parts by name."""
    method = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(path, "w", method) as new:
        parts = change({name: old.read(name) for name in old.namelist()})
        for name, content in parts.items():
            new.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content, method)


if __name__ == "__main__":
    with_openpyxl("openpyxl.xlsx")
    with_xlsxwriter("xlsxwriter.xlsx")
    merged("merged.xlsx")
    with_openpyxl("libreoffice.xlsx")
    with_libreoffice("libreoffice.xlsx", "ods")
    with_libreoffice("libreoffice.ods", "xlsx:Calc MS Excel 2007 XML")
    with_libreoffice("libreoffice.ods", "xls")
    sys.exit(0)
