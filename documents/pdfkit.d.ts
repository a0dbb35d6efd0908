import type { Font } from 'fontkit';

// What pdfkit 0.20 accepts and its published types do not know yet.
declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      registerFont(name: string, font: Font): this;
    }

    interface PDFSubset {
      initSubset(options: { subset: 'PDF/UA' }): void;
    }

    interface StructureElementOptions {
      scope?: 'Row' | 'Column' | 'Both';
      bbox?: [number, number, number, number];
    }
  }
}
