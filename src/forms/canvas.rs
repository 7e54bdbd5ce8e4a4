//! Lines, shapes and texts on a page, in millimetres.

use krilla::color::luma;
use krilla::geom::{PathBuilder, Point, Rect as PointRect, Size, Transform};
use krilla::image::Image;
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, Identifier, SpanTag};

use super::typeface::{Line, POINT_MM, Typeface};
use crate::form::{Mark, Rect};

/// Control points of a quarter of a circle, as a share of its radius: 4/3 (sqrt 2 - 1).
const CIRCLE_CONTROL: f64 = 0.552_284_749_8;

/// Where a text stands from its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Centre,
    Right,
}

/// A part of a page, on which places are given in millimetres from its top left corner.
pub(super) struct Canvas<'s, 'p> {
    pub(super) surface: &'s mut Surface<'p>,
    /// The top left corner on the page, in millimetres.
    pub(super) origin: [f64; 2],
}

impl Canvas<'_, '_> {
    /// The place on the page in points.
    fn point(&self, x: f64, y: f64) -> [f32; 2] {
        [self.origin[0] + x, self.origin[1] + y].map(|mm| (mm / POINT_MM) as f32)
    }

    /// Begins what carries no meaning for those who have the page read to them.
    pub(super) fn start_decoration(&mut self) {
        let artifact = Artifact::with_kind(ArtifactType::Layout);
        self.surface.start_tagged(ContentTag::Artifact(artifact));
    }

    /// Ends what was begun.
    pub(super) fn end_decoration(&mut self) {
        self.surface.end_tagged();
    }

    /// A straight line of a width in millimetres.
    pub(super) fn rule(&mut self, from: [f64; 2], to: [f64; 2], width: f64) {
        let mut path = PathBuilder::new();
        let [x, y] = self.point(from[0], from[1]);
        path.move_to(x, y);
        let [x, y] = self.point(to[0], to[1]);
        path.line_to(x, y);
        self.stroke(path, width);
    }

    /// The outline of a rectangle, of a width in millimetres.
    pub(super) fn frame(&mut self, rect: Rect, width: f64) {
        let mut path = PathBuilder::new();
        if let Some(rect) = self.rect(rect) {
            path.push_rect(rect);
        }
        self.stroke(path, width);
    }

    /// A black rectangle.
    pub(super) fn fill_rect(&mut self, rect: Rect) {
        let mut path = PathBuilder::new();
        if let Some(rect) = self.rect(rect) {
            path.push_rect(rect);
        }
        self.fill(path, FillRule::NonZero);
    }

    fn rect(&self, rect: Rect) -> Option<PointRect> {
        let [left, top] = self.point(rect.left, rect.top);
        let [right, bottom] = self.point(rect.right, rect.bottom);
        PointRect::from_ltrb(left, top, right, bottom)
    }

    /// A corner mark.
    pub(super) fn mark(&mut self, mark: Mark) {
        let mut path = PathBuilder::new();
        for radius in [mark.ring, mark.gap, mark.dot] {
            self.push_circle(&mut path, mark.centre, radius);
        }
        self.fill(path, FillRule::EvenOdd);
    }

    fn push_circle(&self, path: &mut PathBuilder, [x, y]: [f64; 2], radius: f64) {
        let c = CIRCLE_CONTROL;
        let at = |dx: f64, dy: f64| self.point(x + dx * radius, y + dy * radius);
        let [start_x, start_y] = at(1.0, 0.0);
        path.move_to(start_x, start_y);
        let quarters = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
        for [dx, dy] in quarters {
            // The quarter leads from (dx, dy) to (-dy, dx).
            let [ax, ay] = at(dx - c * dy, dy + c * dx);
            let [bx, by] = at(c * dx - dy, c * dy + dx);
            let [end_x, end_y] = at(-dy, dx);
            path.cubic_to(ax, ay, bx, by, end_x, end_y);
        }
        path.close();
    }

    /// The modules of a QR code, row by row, in a square.
    pub(super) fn modules(&mut self, dark: &[bool], per_side: usize, square: Rect) {
        let side = square.width() / per_side as f64;
        let mut path = PathBuilder::new();
        for (y, row) in dark.chunks(per_side).enumerate() {
            // Neighbours in a row are one rectangle, so that no viewer shows a seam between them.
            let mut x = 0;
            for run in row.chunk_by(|a, b| a == b) {
                let rect = Rect {
                    left: square.left + x as f64 * side,
                    top: square.top + y as f64 * side,
                    right: square.left + (x + run.len()) as f64 * side,
                    bottom: square.top + (y + 1) as f64 * side,
                };
                if run[0]
                    && let Some(rect) = self.rect(rect)
                {
                    path.push_rect(rect);
                }
                x += run.len();
            }
        }
        self.fill(path, FillRule::NonZero);
    }

    /// A picture, as large as fits into a rectangle, in its middle.
    pub(super) fn picture(&mut self, image: &Image, rect: Rect) {
        let (width, height) = image.size();
        let [width, height] = [width, height].map(|pixels| f64::from(pixels.max(1)));
        let scale = (rect.width() / width).min(rect.height() / height);
        let [width, height] = [width, height].map(|pixels| pixels * scale);
        let left = rect.left + (rect.width() - width) / 2.0;
        let top = rect.top + (rect.height() - height) / 2.0;
        let [x, y] = self.point(left, top);
        let [width, height] = [width, height].map(|mm| (mm / POINT_MM) as f32);
        if let Some(size) = Size::from_wh(width, height) {
            self.surface
                .push_transform(&Transform::from_translate(x, y));
            self.surface.draw_image(image.clone(), size);
            self.surface.pop();
        }
    }

    /// A text that has a meaning, which its place in the structure of the file takes up.
    #[must_use]
    pub(super) fn text(
        &mut self,
        face: &Typeface,
        line: &Line,
        x: f64,
        baseline: f64,
        align: Align,
    ) -> Identifier {
        let id = self
            .surface
            .start_tagged(ContentTag::Span(SpanTag::empty()));
        self.draw_line(face, line, x, baseline, align);
        self.surface.end_tagged();
        id
    }

    /// A text within decoration.
    pub(super) fn draw_line(
        &mut self,
        face: &Typeface,
        line: &Line,
        x: f64,
        baseline: f64,
        align: Align,
    ) {
        let left = match align {
            Align::Left => x,
            Align::Centre => x - line.width / 2.0,
            Align::Right => x - line.width,
        };
        let [x, y] = self.point(left, baseline);
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(black()));
        let (font, size) = (face.font.clone(), line.size as f32);
        let start = Point::from_xy(x, y);
        self.surface
            .draw_glyphs(start, &line.glyphs, font, &line.text, size, false);
    }

    fn stroke(&mut self, path: PathBuilder, width: f64) {
        let Some(path) = path.finish() else { return };
        self.surface.set_fill(None);
        self.surface.set_stroke(Some(Stroke {
            paint: luma::Color::black().into(),
            width: (width / POINT_MM) as f32,
            ..Stroke::default()
        }));
        self.surface.draw_path(&path);
    }

    fn fill(&mut self, path: PathBuilder, rule: FillRule) {
        let Some(path) = path.finish() else { return };
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(Fill { rule, ..black() }));
        self.surface.draw_path(&path);
    }
}

fn black() -> Fill {
    Fill {
        paint: luma::Color::black().into(),
        opacity: NormalizedF32::ONE,
        rule: FillRule::NonZero,
    }
}
