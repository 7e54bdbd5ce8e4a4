//! scratch
use sheetscan::event::{Event, Header, Record};
use sheetscan::evidence::unpack_words;
use std::error::Error;
fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    let event = Event::read("t", &std::fs::read(&args[1])?);
    for line in std::fs::read_to_string(&args[2])?.lines() {
        let Ok(record) = Record::parse(line) else {
            continue;
        };
        for sheet in &record.sheets {
            let Some(text) = &sheet.words else {
                println!("{} no words", sheet.path);
                continue;
            };
            let words = unpack_words(text)?;
            let from = std::time::Instant::now();
            let h = Header::handwritten(&event, &words);
            let took = from.elapsed();
            let top = |s: &Option<sheetscan::event::Scores<usize>>| match s {
                None => "-".to_owned(),
                Some(s) => {
                    let mut v: Vec<(f64, usize)> =
                        (0..event.players.len()).map(|i| (s.of(&i), i)).collect();
                    v.sort_by(|a, b| b.0.total_cmp(&a.0));
                    v[..2]
                        .iter()
                        .map(|(x, i)| format!("{} {x:.1}", event.players[*i].name))
                        .collect::<Vec<_>>()
                        .join(" / ")
                }
            };
            let num = |s: &Option<sheetscan::event::Scores<u32>>| {
                s.as_ref().map(|s| {
                    (1..15)
                        .map(|n| (n, s.of(&n)))
                        .max_by(|a, b| a.1.total_cmp(&b.1))
                        .map(|(n, x)| format!("{n} {x:.1}"))
                })
            };
            println!(
                "{}\tW {}\tB {}\tr {:?} b {:?} {:?} {took:?}",
                sheet.path,
                top(&h.white),
                top(&h.black),
                num(&h.round),
                num(&h.board),
                h.date
                    .as_ref()
                    .and_then(|d| d.sure().copied())
                    .map(|d| d.to_string())
            );
            if args.len() > 3 {
                for w in &words {
                    let p = w.place();
                    println!(
                        "   {:.1} {:.1} {:.1} {:.1} {}",
                        p.left, p.top, p.right, p.bottom, w.text
                    );
                }
            }
        }
    }
    Ok(())
}
