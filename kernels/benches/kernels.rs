//! The time of each kernel at each level, for shapes like those of the readers of sheetscan and a
//! patch of 112 x 48 pixels.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use sheetscan_kernels::direct::{self, Window};
use sheetscan_kernels::lstm::{self, GATES, State};
use sheetscan_kernels::pointwise::{self, Layer};
use sheetscan_kernels::winograd::RowTransform;
use sheetscan_kernels::{Level, depthwise};

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    winograd(&mut criterion, RowTransform::F4x3, [16, 12, 56], 24);
    winograd(&mut criterion, RowTransform::F3x3, [32, 6, 28], 32);
    winograd(&mut criterion, RowTransform::Stride2, [24, 24, 56], 16);
    time_levels(&mut criterion, "direct 24 -> 32, stride 2", {
        let window = Window {
            kernel: [3, 3],
            stride: [2, 2],
            before: [1, 1],
            after: [1, 1],
        };
        let size = [24, 12, 56];
        let (picture, biases) = (numbers(24 * 12 * 56), numbers(32));
        let packed = direct::pack(&numbers(32 * 24 * 9), 24 * 9);
        move |level| {
            black_box(window.convolve(level, &picture, size, &packed, &biases));
        }
    });
    time_levels(&mut criterion, "depthwise of 96", {
        let size = [96, 12, 56];
        let (picture, kernels, biases) = (numbers(96 * 12 * 56), numbers(96 * 9), numbers(96));
        move |level| {
            black_box(depthwise::convolve(
                level, &picture, size, 1, &kernels, &biases,
            ));
        }
    });
    time_levels(&mut criterion, "pointwise 96 -> 192 -> 96", {
        let places = 12 * 28;
        let (values, biases) = (numbers(96 * places), numbers(192));
        let first = pointwise::pack(&numbers(192 * 96), 96);
        let second = pointwise::pack(&numbers(96 * 192), 192);
        move |level| {
            let layers = [(&first, &biases[..]), (&second, &biases[..96])];
            let layers = layers.map(|(packed, biases)| Layer { packed, biases });
            black_box(pointwise::feed_forward(level, &values, places, layers));
        }
    });
    for batch in [1, 6] {
        time_levels(&mut criterion, &format!("LSTM of 28 x {batch} frames"), {
            let (inputs, hidden, steps) = (128, 128, 28);
            let values = numbers(steps * batch * inputs);
            let input_weights = lstm::pack(&numbers(GATES * hidden * inputs), inputs);
            let hidden_weights = lstm::pack(&numbers(GATES * hidden * hidden), hidden);
            let biases = numbers(GATES * hidden);
            move |level| {
                let layer = lstm::Layer {
                    input_weights: &input_weights,
                    hidden_weights: &hidden_weights,
                    biases: &biases,
                };
                let zeros = vec![0.0; batch * hidden];
                let mut state = State {
                    hidden: zeros.clone(),
                    cell: zeros,
                };
                layer.run(
                    level,
                    &values,
                    steps,
                    false,
                    &mut state,
                    &mut |_, hidden| {
                        black_box(hidden);
                    },
                );
            }
        });
    }
    criterion.final_summary();
}

fn winograd(
    criterion: &mut Criterion,
    transform: RowTransform,
    [inputs, height, width]: [usize; 3],
    outputs: usize,
) {
    let picture = numbers(inputs * height * width);
    let packed = transform.pack(&numbers(outputs * inputs * 9), inputs);
    let biases = numbers(outputs);
    let name = format!("winograd {inputs} -> {outputs}, {transform:?}");
    time_levels(criterion, &name, |level| {
        let size = [inputs, height, width];
        black_box(transform.convolve(level, &picture, size, &packed, &biases));
    });
}

/// Times a kernel at each level of this processor.
fn time_levels(criterion: &mut Criterion, name: &str, kernel: impl Fn(Level)) {
    let mut group = criterion.benchmark_group(name);
    for level in Level::all() {
        group.bench_with_input(
            BenchmarkId::from_parameter(level.name()),
            &level,
            |b, &level| {
                b.iter(|| kernel(black_box(level)));
            },
        );
    }
    group.finish();
}

/// Numbers between -1 and 1 that repeat late.
fn numbers(count: usize) -> Vec<f32> {
    let number = |i: usize| (i * 7919 % 2003) as f32 / 1001.0 - 1.0;
    (0..count).map(number).collect()
}
