//! Every kernel against plain loops, at every level of this processor.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use sheetscan_kernels::activation::apply_sigmoid;
use sheetscan_kernels::direct::{self, Window};
use sheetscan_kernels::lstm::{self, GATES, HIDDEN_MULTIPLE, MAX_BATCH, State};
use sheetscan_kernels::pointwise::{self, Layer};
use sheetscan_kernels::warp::{ProjectiveRow, RowSampler};
use sheetscan_kernels::winograd::RowTransform;
use sheetscan_kernels::{LEVEL_VARIABLE, Level, PANEL_ROWS, depthwise, row_sum};

/// Sums of up to a few hundred products of numbers between -1 and 1 differ by less, in whatever
/// order they are added; so do Winograd's, which add larger numbers.
const TOLERANCE: f32 = 2e-4;

/// Numbers between -1 and 1 that repeat late and differ with the seed.
fn numbers(count: usize, seed: usize) -> Vec<f32> {
    let number = |i: usize| ((i + 31 * seed) * 7919 % 2003) as f32 / 1001.0 - 1.0;
    (0..count).map(number).collect()
}

fn check(level: Level, outputs: &[f32], expected: &[f32]) -> Result<(), TestCaseError> {
    prop_assert_eq!(outputs.len(), expected.len());
    for (i, (a, b)) in outputs.iter().zip(expected).enumerate() {
        prop_assert!(
            (a - b).abs() < TOLERANCE,
            "{} instead of {} at {}, {}",
            a,
            b,
            i,
            level.name()
        );
    }
    Ok(())
}

/// A convolution by its definition. `kernel` is `[C_out, C_in / groups, height, width]`.
fn convolve_plainly(
    window: &Window,
    picture: &[f32],
    [inputs, height, width]: [usize; 3],
    kernel: &[f32],
    biases: &[f32],
    groups: usize,
) -> Vec<f32> {
    let [rows, columns] = window.output_size([height, width]);
    let [kernel_rows, kernel_columns] = window.kernel;
    let (in_group, out_group) = (inputs / groups, biases.len() / groups);
    let pixel = |channel: usize, y: usize, x: usize| {
        let y = y.checked_sub(window.before[0]).filter(|&y| y < height);
        let x = x.checked_sub(window.before[1]).filter(|&x| x < width);
        y.zip(x)
            .map_or(0.0, |(y, x)| picture[(channel * height + y) * width + x])
    };
    let mut outputs = vec![];
    for (output, &bias) in biases.iter().enumerate() {
        for row in 0..rows {
            for column in 0..columns {
                let mut sum = bias;
                for input in 0..in_group {
                    for y in 0..kernel_rows {
                        for x in 0..kernel_columns {
                            let tap = (output * in_group + input) * kernel_rows + y;
                            let weight = kernel[tap * kernel_columns + x];
                            let channel = output / out_group * in_group + input;
                            let (stride_y, stride_x) = (window.stride[0], window.stride[1]);
                            sum +=
                                weight * pixel(channel, row * stride_y + y, column * stride_x + x);
                        }
                    }
                }
                outputs.push(sum);
            }
        }
    }
    outputs
}

/// A 3x3 kernel with one zero around the picture.
fn padded_3x3(stride: [usize; 2]) -> Window {
    Window {
        kernel: [3, 3],
        stride,
        before: [1, 1],
        after: [1, 1],
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The error function by its Taylor series, for |x| up to about 4.
fn erf(x: f64) -> f64 {
    let (mut sum, mut term) = (0.0, x);
    for n in 0..200 {
        sum += term / f64::from(2 * n + 1);
        term *= -x * x / f64::from(n + 1);
    }
    sum * std::f64::consts::FRAC_2_SQRT_PI
}

fn gelu(x: f64) -> f64 {
    x * 0.5 * (1.0 + erf((x * std::f64::consts::FRAC_1_SQRT_2).clamp(-4.0, 4.0)))
}

/// `[rows, depth]` times `[depth, columns]`, plus a bias for each row.
fn multiply_plainly(matrix: &[f32], values: &[f64], columns: usize, biases: &[f32]) -> Vec<f64> {
    let depth = values.len() / columns;
    let mut products = vec![];
    for (row, &bias) in matrix.chunks(depth).zip(biases) {
        for column in 0..columns {
            let value =
                |(i, &weight): (usize, &f32)| f64::from(weight) * values[i * columns + column];
            products.push(f64::from(bias) + row.iter().enumerate().map(value).sum::<f64>());
        }
    }
    products
}

/// One sequence through an LSTM by its definition: the hidden state of each step. `weights` is
/// `[4 * hidden, inputs + hidden]`, the gates as in ONNX: input, output, forget, cell.
fn run_lstm_plainly(
    sequence: &[Vec<f32>],
    [input_weights, hidden_weights]: [&[f32]; 2],
    biases: &[f32],
    [hidden, cell]: [&[f32]; 2],
) -> Vec<Vec<f64>> {
    let size = hidden.len();
    let widen = |values: &[f32]| -> Vec<f64> { values.iter().map(|&v| f64::from(v)).collect() };
    let (mut hidden, mut cell) = (widen(hidden), widen(cell));
    let mut steps = vec![];
    for inputs in sequence {
        let from_inputs = multiply_plainly(input_weights, &widen(inputs), 1, biases);
        let from_hidden = multiply_plainly(hidden_weights, &hidden, 1, &vec![0.0; GATES * size]);
        let gate =
            |gate: usize, i: usize| from_inputs[gate * size + i] + from_hidden[gate * size + i];
        for (i, cell) in cell.iter_mut().enumerate() {
            *cell = sigmoid(gate(2, i)) * *cell + sigmoid(gate(0, i)) * gate(3, i).tanh();
        }
        hidden = (0..size)
            .map(|i| sigmoid(gate(1, i)) * cell[i].tanh())
            .collect();
        steps.push(hidden.clone());
    }
    steps
}

fn narrow(values: &[f64]) -> Vec<f32> {
    values.iter().map(|&value| value as f32).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(5),
        failure_persistence: None,
        ..ProptestConfig::with_cases(64)
    })]

    #[test]
    fn winograd_is_a_3x3_convolution(
        transform in prop::sample::select(vec![
            RowTransform::F4x3,
            RowTransform::F3x3,
            RowTransform::Stride2,
        ]),
        inputs in 1..20usize,
        panels in 1..4usize,
        height in 1..15usize,
        width in 1..100usize,
    ) {
        let outputs = panels * PANEL_ROWS;
        let size = [inputs, height, width];
        let picture = numbers(inputs * height * width, 1);
        let (kernel, biases) = (numbers(outputs * inputs * 9, 2), numbers(outputs, 3));
        let stride = if transform == RowTransform::Stride2 { 2 } else { 1 };
        let window = padded_3x3([stride, 1]);
        let expected = convolve_plainly(&window, &picture, size, &kernel, &biases, 1);
        let packed = transform.pack(&kernel, inputs);
        for level in Level::all() {
            let outputs = transform.convolve(level, &picture, size, &packed, &biases);
            check(level, &outputs, &expected)?;
        }
    }

    #[test]
    fn a_direct_convolution_takes_any_window(
        inputs in 1..12usize,
        panels in 1..3usize,
        kernel in prop::array::uniform2(1..4usize),
        stride in prop::array::uniform2(1..4usize),
        before in prop::array::uniform2(0..3usize),
        after in prop::array::uniform2(0..3usize),
        height in 3..15usize,
        width in 3..100usize,
    ) {
        let window = Window { kernel, stride, before, after };
        let outputs = panels * PANEL_ROWS;
        let size = [inputs, height, width];
        let picture = numbers(inputs * height * width, 1);
        let taps = inputs * kernel[0] * kernel[1];
        let (kernel, biases) = (numbers(outputs * taps, 2), numbers(outputs, 3));
        let expected = convolve_plainly(&window, &picture, size, &kernel, &biases, 1);
        let packed = direct::pack(&kernel, taps);
        for level in Level::all() {
            let outputs = window.convolve(level, &picture, size, &packed, &biases);
            check(level, &outputs, &expected)?;
        }
    }

    #[test]
    fn a_depthwise_convolution_keeps_channels_apart(
        channels in 1..12usize,
        stride in 1..4usize,
        height in 1..15usize,
        width in 1..100usize,
    ) {
        let size = [channels, height, width];
        let picture = numbers(channels * height * width, 1);
        let (kernels, biases) = (numbers(channels * 9, 2), numbers(channels, 3));
        let window = padded_3x3([stride, 1]);
        let expected = convolve_plainly(&window, &picture, size, &kernels, &biases, channels);
        for level in Level::all() {
            let outputs = depthwise::convolve(level, &picture, size, stride, &kernels, &biases);
            check(level, &outputs, &expected)?;
        }
    }

    #[test]
    fn a_feed_forward_block_is_two_matrix_products_with_a_gelu_between_them(
        inputs in 1..20usize,
        panels in prop::array::uniform2(1..4usize),
        places in 1..200usize,
        scale in 0.1f32..5.0,
    ) {
        let [inner, outputs] = panels.map(|panels| panels * PANEL_ROWS);
        let values: Vec<f32> = numbers(inputs * places, 1).iter().map(|v| v * scale).collect();
        let matrices = [numbers(inner * inputs, 2), numbers(outputs * inner, 3)];
        let biases = [numbers(inner, 4), numbers(outputs, 5)];
        let wide: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
        let hidden = multiply_plainly(&matrices[0], &wide, places, &biases[0]);
        let hidden: Vec<f64> = hidden.into_iter().map(gelu).collect();
        let expected = narrow(&multiply_plainly(&matrices[1], &hidden, places, &biases[1]));
        let packed = [pointwise::pack(&matrices[0], inputs), pointwise::pack(&matrices[1], inner)];
        for level in Level::all() {
            let layers = [0, 1].map(|i| Layer { packed: &packed[i], biases: &biases[i] });
            let outputs = pointwise::feed_forward(level, &values, places, layers);
            check(level, &outputs, &expected)?;
        }
    }

    #[test]
    fn an_lstm_runs_each_sequence_of_a_batch_by_itself_in_either_direction(
        inputs in 1..6usize,
        hidden in prop::sample::select(vec![HIDDEN_MULTIPLE, 3 * HIDDEN_MULTIPLE]),
        batch in 1..=MAX_BATCH,
        steps in 1..9usize,
        scale in 0.1f32..30.0,
        reversed: bool,
    ) {
        let input_matrix = numbers(GATES * hidden * inputs, 1);
        let hidden_matrix = numbers(GATES * hidden * hidden, 2);
        let packed = [lstm::pack(&input_matrix, inputs), lstm::pack(&hidden_matrix, hidden)];
        let biases = numbers(GATES * hidden, 3);
        let values = numbers(steps * batch * inputs, 4);
        let values: Vec<f32> = values.iter().map(|value| value * scale).collect();
        let before = State { hidden: numbers(batch * hidden, 5), cell: numbers(batch * hidden, 6) };

        let mut expected = vec![0.0; steps * batch * hidden];
        for sequence in 0..batch {
            let frame = |step: usize| {
                values[(step * batch + sequence) * inputs..][..inputs].to_vec()
            };
            let mut order: Vec<usize> = (0..steps).collect();
            if reversed {
                order.reverse();
            }
            let frames: Vec<Vec<f32>> = order.iter().map(|&step| frame(step)).collect();
            let of_sequence = |state: &'_ [f32]| state[sequence * hidden..][..hidden].to_vec();
            let state = [of_sequence(&before.hidden), of_sequence(&before.cell)];
            let weights = [&input_matrix[..], &hidden_matrix];
            let outputs = run_lstm_plainly(&frames, weights, &biases, [&state[0], &state[1]]);
            for (step, output) in order.into_iter().zip(outputs) {
                expected[(step * batch + sequence) * hidden..][..hidden]
                    .copy_from_slice(&narrow(&output));
            }
        }

        for level in Level::all() {
            let layer = lstm::Layer {
                input_weights: &packed[0],
                hidden_weights: &packed[1],
                biases: &biases,
            };
            let mut state = before.clone();
            let mut outputs = vec![0.0; expected.len()];
            layer.run(level, &values, steps, reversed, &mut state, &mut |step, hidden_state| {
                let length = batch * hidden;
                outputs[step * length..][..length].copy_from_slice(hidden_state);
            });
            check(level, &outputs, &expected)?;
            let last = if reversed { 0 } else { steps - 1 };
            prop_assert_eq!(&state.hidden, &outputs[last * batch * hidden..][..batch * hidden]);
        }
    }
}

#[test]
fn every_value_goes_through_the_logistic_function_however_many_there_are() {
    for level in Level::all() {
        for count in [0, 1, 15, 16, 17, 1003] {
            let values: Vec<f32> = numbers(count, 3).iter().map(|x| 40.0 * x).collect();
            let mut outputs = values.clone();
            apply_sigmoid(level, &mut outputs);
            let expected: Vec<f64> = values.iter().map(|&x| sigmoid(x.into())).collect();
            check(level, &outputs, &narrow(&expected)).unwrap();
        }
    }
}

#[test]
fn samples_are_those_of_the_formula_bit_by_bit_at_every_level() {
    let (width, height) = (97, 61);
    let picture: Vec<u8> = (0..width * height)
        .map(|i| (i * 7919 % 251) as u8)
        .collect();
    let us: Vec<f32> = (0..83).map(|i| i as f32 / 80.0 - 0.02).collect();
    let row = ProjectiveRow {
        slope: [80.0, 20.0, 0.1],
        start: [7.5, 30.0, 1.0],
    };
    let expected = us.iter().map(|u| {
        let [x, y, w] = [0, 1, 2].map(|i| row.slope[i] * u + row.start[i]);
        let depth = w.recip();
        let (x, y) = (x * depth, y * depth);
        let (fx, fy) = (x - x.trunc(), y - y.trunc());
        let from = y as usize * width + x as usize;
        let pixel = |at: usize| f32::from(picture[at]);
        let across = |at: usize| pixel(at) + fx * (pixel(at + 1) - pixel(at));
        let (above, below) = (across(from), across(from + width));
        above + fy * (below - above)
    });
    let expected: Vec<f32> = expected.collect();
    for level in Level::all() {
        let mut sampler = RowSampler::new(us.clone());
        assert_eq!(
            sampler.sample(level, &row, &picture, width),
            expected,
            "{}",
            level.name()
        );
        let far = ProjectiveRow {
            start: [-500.0, 90.0, 1.0],
            ..row
        };
        let samples = sampler.sample(level, &far, &picture, width);
        assert!(
            samples.iter().all(|&sample| sample == 0.0),
            "{}",
            level.name()
        );
    }
}

#[test]
fn levels_with_fused_products_agree_bit_by_bit() {
    let levels = Level::all();
    let [.., a, b] = levels[..] else {
        return;
    };
    if a.name() == "baseline" {
        return;
    }
    let size = [24, 12, 56];
    let (picture, biases) = (numbers(24 * 12 * 56, 1), numbers(32, 2));
    let packed = RowTransform::F4x3.pack(&numbers(32 * 24 * 9, 3), 24);
    let outputs = [a, b].map(|level| {
        let convolved = RowTransform::F4x3.convolve(level, &picture, size, &packed, &biases);
        let first = pointwise::pack(&numbers(32 * 32, 4), 32);
        let layers = [(); 2].map(|()| Layer {
            packed: &first,
            biases: &biases,
        });
        pointwise::feed_forward(level, &convolved, 12 * 56, layers)
    });
    assert_eq!(outputs[0], outputs[1]);
}

#[test]
fn a_level_is_found_by_its_name_or_the_widest_below_it() {
    let levels = Level::all();
    for level in &levels {
        assert_eq!(Level::at_most(level.name()).unwrap().name(), level.name());
    }
    let widest = levels[levels.len() - 1].name();
    assert_eq!(Level::at_most("avx512").unwrap().name(), widest);
    let error = Level::at_most("avx3").unwrap_err().to_string();
    assert!(
        error.contains(LEVEL_VARIABLE) && error.contains("avx3"),
        "{error}"
    );
    assert!(error.contains("baseline, avx2, avx512"), "{error}");
}

#[test]
fn rows_are_summed_and_weighed_alike_at_every_level() {
    let rows = [[30_000i16; 24], [-7; 24], [5_000; 24]];
    let weights: Vec<f32> = numbers(24, 9);
    let weights: [f32; 24] = weights.try_into().expect("24 numbers");
    let weighed = |value: f32| value * weights.iter().map(|&w| f64::from(w)).sum::<f64>() as f32;
    for level in Level::all() {
        let sum = |indices: &[usize]| row_sum::add(level, &[1; 24], &rows, indices);
        assert_eq!(sum(&[]), [1; 24]);
        assert_eq!(sum(&[1, 2, 1]), [4_987; 24]);
        assert_eq!(sum(&[0, 2, 1]), [i16::MAX - 7; 24], "the end of the range");
        let above = row_sum::weigh(level, &[300; 24], &weights);
        assert!((above - weighed(300.0)).abs() < 1e-2, "{}", level.name());
        assert_eq!(row_sum::weigh(level, &[-300; 24], &weights), 0.0);
    }
}
