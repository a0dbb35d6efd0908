import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';

import { cleanLine, cleanText } from './clean-text.ts';
import { FontSet } from './font-set.ts';
import { createTypesetter } from './text-layout.ts';
import type { TextBlock, TextLine, Typesetter } from './text-layout.ts';

export interface PageFormat {
  readonly widthPt: number;
  readonly heightPt: number;
}

export interface DocumentHead {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  readonly createdAt: Date;
  readonly page: PageFormat;
  /** All that will be written, as it is stored: the fonts that it needs are opened. */
  readonly texts: readonly string[];
}

export type TagElement = PDFKit.PDFStructureElement;

/** `start`: left for a left-to-right text and right for a right-to-left one. */
export type TextAlign = 'left' | 'right' | 'center' | 'start';

export interface TextPlace {
  readonly xPt: number;
  /** Top of the first line. */
  readonly yPt: number;
  readonly widthPt?: number;
  readonly align?: TextAlign;
  readonly color?: string;
}

/**
 * Scripts that are drawn in another order than they are written in, and marks: those above and below the line would be taken
 * for lines of their own by readers of PDF.
 */
const READ_AS_WRITTEN = /[\p{Script=Devanagari}\p{Script=Thai}\p{M}]/u;

/**
 * One tagged PDF (PDF 1.7, structure tree and marked artifacts as PDF/UA wants them) under construction.
 * What is drawn inside `tagged` is content, anything else must be drawn inside `decoration`.
 */
export class PageCanvas {
  readonly typesetter: Typesetter;
  readonly vector: PDFKit.PDFDocument;
  private readonly root: TagElement;
  private readonly bytes: Promise<Uint8Array>;

  private constructor(vector: PDFKit.PDFDocument, typesetter: Typesetter) {
    this.vector = vector;
    this.typesetter = typesetter;
    this.root = vector.struct('Document');
    vector.addStructure(this.root);
    this.bytes = buffer(vector);
  }

  /** Starts a document without pages. */
  static async open(head: DocumentHead): Promise<PageCanvas> {
    const fonts = await FontSet.open(head.texts.map(cleanText));
    const title = cleanLine(head.title);
    const author = cleanLine(head.author);
    const vector = new PDFDocument({
      size: [head.page.widthPt, head.page.heightPt],
      margin: 0,
      autoFirstPage: false,
      font: '',
      pdfVersion: '1.7',
      tagged: true,
      lang: head.language,
      displayTitle: true,
      info: { Title: title, Author: author, CreationDate: head.createdAt, ModDate: head.createdAt },
    });
    vector.initSubset({ subset: 'PDF/UA' });
    escapeInMetadata(vector, [title, author]);
    for (const { name, font } of fonts.all) vector.registerFont(name, font);
    return new PageCanvas(vector, createTypesetter(fonts));
  }

  /** Opens an element that holds others, such as a section or a table row; the document closes it. */
  group(type: string, parent: TagElement = this.root): TagElement {
    const element = this.vector.struct(type);
    parent.add(element);
    return element;
  }

  /** Draws content as one tagged element. */
  tagged(
    parent: TagElement,
    type: string,
    options: PDFKit.Mixins.StructureElementOptions,
    draw: () => void,
  ): void {
    parent.add(this.vector.struct(type, options, [draw]));
  }

  /** Draws what only decorates or repeats: rules, boxes, page numbers. */
  decoration(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    this.vector.markContent('Artifact', { type });
    draw();
    this.vector.endMarkedContent();
  }

  /** Draws a text as a tagged element; a screen reader gets a right-to-left one in its reading order. */
  taggedText(parent: TagElement, type: string, block: TextBlock, place: TextPlace): void {
    const options = block.lines.some(hasRightToLeft)
      ? { actual: block.plainText, ...(block.isRightToLeft ? { lang: languageOf(block.plainText) } : {}) }
      : {};
    this.tagged(parent, type, options, () => this.text(block, place));
  }

  /** Draws a text, line by line, without a tag of its own. */
  text(block: TextBlock, place: TextPlace): void {
    const { sizePt, leadingPt } = block.style;
    // Centres the capitals in the line's height: 0.698 em is the fonts' capital height.
    const baselinePt = leadingPt / 2 + sizePt * 0.349;
    block.lines.forEach((line, index) => {
      const spare = (place.widthPt ?? line.widthPt) - line.widthPt;
      const xPt = place.xPt + spare * shareBefore(place.align ?? 'left', line.isRightToLeft);
      const yPt = place.yPt + index * leadingPt + baselinePt;
      const isReadWhole = !hasRightToLeft(line) && READ_AS_WRITTEN.test(line.plainText);
      this.readAs(isReadWhole ? line.plainText : null, () =>
        this.line(line, { sizePt, xPt, yPt, color: place.color ?? '#000000' }),
      );
    });
  }

  private line(line: TextLine, place: { sizePt: number; xPt: number; yPt: number; color: string }): void {
    let { xPt } = place;
    const isReadByRun = hasRightToLeft(line);
    for (const run of line.runs) {
      const hasMarks = isReadByRun && /\p{M}/u.test(run.text);
      this.readAs(hasMarks ? run.visualText : null, () =>
        this.vector
          .font(run.font.name, place.sizePt)
          .fillColor(place.color)
          .text(run.text, xPt, place.yPt, { lineBreak: false, baseline: 'alphabetic', features: [] }),
      );
      xPt += run.widthPt;
    }
  }

  /** Draws what a reader of the PDF extracts as this text; null for the letters as they are drawn. */
  private readAs(text: string | null, draw: () => void): void {
    if (text === null) {
      draw();
      return;
    }
    this.vector.markContent('Span', { actual: text });
    draw();
    // Poppler puts the text where the transformation that holds at its end says, and pdfkit turns the page over for each text.
    this.vector.save().transform(1, 0, 0, -1, 0, this.vector.page.height);
    this.vector.endMarkedContent();
    this.vector.restore();
  }

  /** Closes the document and resolves to its bytes. */
  close(): Promise<Uint8Array> {
    this.root.end();
    this.vector.end();
    return this.bytes;
  }
}

/** pdfkit 0.20 writes title and author into its XML metadata as they are; an ampersand would break it. */
function escapeInMetadata(vector: PDFKit.PDFDocument, values: readonly string[]): void {
  const append = vector.appendXML.bind(vector);
  vector.appendXML = (xml, newLine) => {
    const escaped = values.reduce((text, value) => {
      return text.replace(`>${value}</rdf:li>`, () => `>${escapeXml(value)}</rdf:li>`);
    }, xml);
    append(escaped, newLine);
  };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function hasRightToLeft(line: TextLine): boolean {
  return line.runs.some((run) => run.isRightToLeft);
}

function shareBefore(align: TextAlign, isRightToLeft: boolean): number {
  if (align === 'center') return 0.5;
  if (align === 'right') return 1;
  return align === 'start' && isRightToLeft ? 1 : 0;
}

/** What a screen reader reads a right-to-left text as. */
function languageOf(text: string): string {
  return /\p{Script=Hebrew}/u.test(text) && !/\p{Script=Arabic}/u.test(text) ? 'he' : 'ar';
}
