//! Whether the pictures on a page of a PDF file are whole. Its renderer draws what there is of
//! them, and nothing in the place of one that is not there at all.

use std::collections::HashSet;

use hayro::hayro_syntax::Filter;
use hayro::hayro_syntax::content::TypedIter;
use hayro::hayro_syntax::content::ops::TypedInstruction;
use hayro::hayro_syntax::object::stream::ImageDecodeParams;
use hayro::hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, Stream};
use hayro::hayro_syntax::page::{Page, Resources};

use super::Extent;
use crate::page::{jpeg, jpeg2000};

/// Levels of forms within forms in which pictures are looked for. Programs use one or two.
const MAX_DEPTH: u32 = 4;
/// Largest number of pictures and forms of a page that are looked at. Scans cut into strips have
/// dozens.
const MAX_OBJECTS: usize = 500;
/// Share of its samples, 0 to 1, that a picture must have: some fax programs count a row too many.
const MIN_SAMPLES: f64 = 0.99;

/// How much a page has of its pictures, the one that lacks most.
pub(super) fn extent_of_page(page: &Page) -> Extent {
    if page.raw().get_ref(b"Contents").is_some() && page.page_stream().is_none() {
        return Extent::Cut;
    }
    let mut pictures = Pictures::default();
    pictures.add_all(page.typed_operations(), page.resources(), 0);
    pictures.extent
}

/// The pictures of a page that were looked at.
struct Pictures {
    seen: HashSet<ObjectIdentifier>,
    extent: Extent,
}

impl Default for Pictures {
    fn default() -> Self {
        Self {
            seen: HashSet::new(),
            extent: Extent::Whole,
        }
    }
}

impl Pictures {
    /// Adds what a content stream draws.
    fn add_all(&mut self, mut content: TypedIter, resources: &Resources, depth: u32) {
        while let Some(instruction) = content.next() {
            let TypedInstruction::XObject(object) = instruction else {
                continue;
            };
            if self.extent == Extent::Cut || self.seen.len() >= MAX_OBJECTS {
                return;
            }
            match resources.get_x_object(object.0) {
                Some(object) => self.add(&object, depth),
                // The file was cut before it.
                None => self.extent = Extent::Cut,
            }
        }
    }

    /// Adds a picture, or what a form draws.
    fn add(&mut self, object: &Stream, depth: u32) {
        if !self.seen.insert(object.obj_id()) {
            return;
        }
        let dict = object.dict();
        let kind = dict.get::<Name>(b"Subtype");
        match kind.as_deref() {
            Some(b"Image") => {
                self.extent = self.extent.max(extent_of_picture(object));
                if let Some(mask) = dict.get::<Stream>(b"SMask") {
                    self.extent = self.extent.max(extent_of_picture(&mask));
                }
            }
            Some(b"Form") if depth < MAX_DEPTH => {
                let resources = dict.get::<Dict>(b"Resources").unwrap_or_default();
                if let Ok(content) = object.decoded_data() {
                    let content = TypedIter::new(&content);
                    self.add_all(content, &Resources::new(resources), depth + 1);
                }
            }
            _ => {}
        }
    }
}

/// How much of a picture is there.
fn extent_of_picture(picture: &Stream) -> Extent {
    match picture.filters().as_slice() {
        [Filter::DctDecode] => jpeg::extent(&picture.raw_data()),
        [Filter::JpxDecode] => jpeg2000::extent(&picture.raw_data()),
        // What stands behind another filter is not to be had, and JBIG2 pictures that are cut
        // cannot be decoded at all.
        [
            ..,
            Filter::DctDecode | Filter::JpxDecode | Filter::Jbig2Decode,
        ] => Extent::Whole,
        _ => extent_of_samples(picture),
    }
}

/// How much there is of a picture of which each row is stored by itself: its samples are counted.
/// One that cannot be decoded at all is left to the renderer.
fn extent_of_samples(picture: &Stream) -> Extent {
    let dict = picture.dict();
    let number = |long: &[u8], short: &[u8]| dict.get::<u32>(long).or_else(|| dict.get(short));
    let width = number(b"Width", b"W").unwrap_or(0);
    let height = number(b"Height", b"H").unwrap_or(0);
    let is_mask = dict.get::<bool>(b"ImageMask").unwrap_or(false);
    let bits = number(b"BitsPerComponent", b"BPC").unwrap_or(if is_mask { 1 } else { 8 });
    let parameters = ImageDecodeParams {
        bpc: u8::try_from(bits).ok(),
        num_components: Some(count_components(dict)),
        width,
        height,
        ..ImageDecodeParams::default()
    };
    let Ok(decoded) = picture.decoded_image(&parameters) else {
        return Extent::Whole;
    };
    let row_bits = match &decoded.image_data {
        // A fax, of one component.
        Some(data) => u64::from(data.width) * u64::from(data.bits_per_component),
        None => u64::from(width) * u64::from(bits) * u64::from(count_components(dict)),
    };
    let expected = row_bits.div_ceil(8) as f64 * f64::from(height);
    if (decoded.data.len() as f64) < MIN_SAMPLES * expected {
        Extent::Cut
    } else {
        Extent::Whole
    }
}

/// Number of components of a pixel, as far as the names of colour spaces tell it; 1 otherwise, the
/// least.
fn count_components(dict: &Dict) -> u8 {
    let name_of = |name: &Name| match &**name {
        b"DeviceRGB" | b"RGB" | b"CalRGB" | b"Lab" => 3,
        b"DeviceCMYK" | b"CMYK" => 4,
        _ => 1,
    };
    match dict.get::<Object>(b"ColorSpace") {
        Some(Object::Name(name)) => name_of(&name),
        Some(Object::Array(space)) => count_components_of_space(&space, name_of),
        _ => 1,
    }
}

/// The same for a colour space with parameters.
fn count_components_of_space(space: &Array, name_of: impl Fn(&Name) -> u8) -> u8 {
    let mut items = space.iter::<Object>();
    match (items.next(), items.next()) {
        (Some(Object::Name(name)), Some(Object::Stream(profile))) if &*name == b"ICCBased" => {
            profile.dict().get::<u8>(b"N").unwrap_or(1)
        }
        (Some(Object::Name(name)), _) => name_of(&name),
        _ => 1,
    }
}
