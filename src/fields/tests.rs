use super::*;
use crate::reader::{WordReading, WordScorer};

fn labels_of(words: &[WordReading]) -> Vec<(f32, Option<Field>)> {
    let scorers: Vec<WordScorer> = words.iter().map(WordReading::scorer).collect();
    let labels = find_labels(&scorers, &LabelParameters::default()).into_iter();
    labels
        .map(|label| (label.bounds.left, label.field))
        .collect()
}

#[test]
fn a_name_behind_a_label_is_no_label() {
    let words = [
        WordReading::certain_at(0.0, -4.0, "Noirs:"),
        WordReading::certain_at(3.5, -4.0, "Bianco"),
    ];
    assert_eq!(labels_of(&words), [(0.0, Some(Field::Black))]);
    let apart = [
        WordReading::certain_at(0.0, -4.0, "White:"),
        WordReading::certain_at(13.0, -4.0, "Black:"),
    ];
    assert_eq!(labels_of(&apart).len(), 2);
}

#[test]
fn lines_run_from_the_labels_up_to_the_next_label() {
    let words = [
        WordReading::certain_at(0.0, -6.0, "White"),
        WordReading::certain_at(0.0, -4.0, "Black"),
        WordReading::certain_at(10.0, -6.0, "Round"),
        WordReading::certain_at(10.0, -4.0, "Board"),
    ];
    let scorers: Vec<WordScorer> = words.iter().map(WordReading::scorer).collect();
    let labels = find_labels(&scorers, &LabelParameters::default());
    let mut lines = locate_lines(&labels, |_| true, &LineParameters::default());
    lines.sort_by(|a, b| a.left.total_cmp(&b.left).then(a.top.total_cmp(&b.top)));
    let columns: Vec<_> = lines.chunks(2).collect();
    let [names, numbers] = columns[..] else {
        panic!("{lines:?}")
    };
    for (line, foot) in names.iter().chain(numbers).zip([-5.0, -3.0, -5.0, -3.0]) {
        assert!(line.top < foot - 1.0 && line.top > foot - 2.0);
        assert!(line.bottom > foot && line.bottom < foot + 1.0);
    }
    for (line, next) in names.iter().zip(numbers) {
        assert!(line.left >= 2.5 && line.left < 3.0);
        assert!(line.right > 9.0 && line.right < 10.0);
        assert!(next.left >= 12.5 && next.left < 13.0);
        assert!(next.right > 20.0);
    }
}
