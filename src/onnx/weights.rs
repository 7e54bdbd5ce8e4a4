//! Weights that an ONNX file stores in 8 or 16 bits, as `models/train/quantize.py` writes them.
//!
//! tract converts them too, but with operators of any shape, for each part of a network anew: the
//! second stage of the reader took 0.38 seconds of one core longer to load.

use std::collections::HashMap;

use tract_onnx::Onnx;
use tract_onnx::pb::tensor_proto::DataType;
use tract_onnx::pb::{GraphProto, NodeProto, TensorProto};
use tract_onnx::prelude::*;
use tract_onnx::tensor::load_tensor;

/// Puts float32 weights into a graph in place of the nodes that convert stored ones: `Cast`, and
/// `DequantizeLinear` with a scale for each channel.
///
/// # Errors
/// Those of tract for stored weights that it cannot read.
pub(super) fn convert_weights(loader: &Onnx, graph: &mut GraphProto) -> TractResult<()> {
    let stored = graph.initializer.iter();
    let stored: HashMap<&str, &TensorProto> = stored.map(|t| (&*t.name, t)).collect();
    let (mut kept, mut converted) = (Vec::new(), Vec::new());
    for node in &graph.node {
        match convert(loader, node, &stored)? {
            Some(weights) => converted.push(weights),
            None => kept.push(node.clone()),
        }
    }
    graph.node = kept;
    graph.initializer.extend(converted);
    Ok(())
}

/// The weights that a node makes of stored ones alone; None where it does something else.
fn convert(
    loader: &Onnx,
    node: &NodeProto,
    stored: &HashMap<&str, &TensorProto>,
) -> TractResult<Option<TensorProto>> {
    let inputs: Option<Vec<&TensorProto>> = node
        .input
        .iter()
        .map(|name| stored.get(&**name).copied())
        .collect();
    let read = |tensor| load_tensor(&*loader.provider, tensor, None);
    let values = match (&*node.op_type, inputs.as_deref(), &node.output[..]) {
        ("Cast", Some([weights]), [_])
            if node.get_attr_opt("to")? == Some(DataType::Float as i64) =>
        {
            read_values(&read(weights)?)?
        }
        ("DequantizeLinear", Some([weights, scales]), [_]) => {
            let axis = node.get_attr_opt("axis")?.unwrap_or(1);
            let (integers, scales) = (read(weights)?, read(scales)?);
            match scale_channels(&integers, &scales, axis)? {
                Some(values) => values,
                None => return Ok(None),
            }
        }
        _ => return Ok(None),
    };
    Ok(Some(TensorProto {
        name: node.output[0].clone(),
        dims: inputs.map_or_else(Vec::new, |inputs| inputs[0].dims.clone()),
        data_type: DataType::Float as i32,
        raw_data: values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect(),
        ..TensorProto::default()
    }))
}

/// Integers multiplied with the scale of their channel along an axis; None where there is not one
/// scale for each.
fn scale_channels(integers: &Tensor, scales: &Tensor, axis: i64) -> TractResult<Option<Vec<f32>>> {
    let axis = usize::try_from(axis)
        .ok()
        .filter(|&axis| axis < integers.rank());
    let Some(axis) = axis.filter(|&axis| scales.shape() == [integers.shape()[axis]]) else {
        return Ok(None);
    };
    let (mut values, scales) = (read_values(integers)?, read_values(scales)?);
    let values_per_channel: usize = integers.shape()[axis + 1..].iter().product();
    let channels = values.chunks_exact_mut(values_per_channel.max(1));
    for (channel, scale) in channels.zip(scales.iter().cycle()) {
        channel.iter_mut().for_each(|value| *value *= scale);
    }
    Ok(Some(values))
}

fn read_values(tensor: &Tensor) -> TractResult<Vec<f32>> {
    let values = tensor.cast_to::<f32>()?;
    Ok(values
        .to_plain_array_view::<f32>()?
        .iter()
        .copied()
        .collect())
}

#[cfg(test)]
mod tests {
    use tract_onnx::pb::AttributeProto;
    use tract_onnx::pb::attribute_proto::AttributeType;

    use super::*;

    fn integer(name: &str, value: i64) -> AttributeProto {
        AttributeProto {
            name: name.into(),
            i: value,
            r#type: AttributeType::Int as i32,
            ..AttributeProto::default()
        }
    }

    fn tensor(name: &str, data_type: DataType, dims: &[i64], raw_data: Vec<u8>) -> TensorProto {
        TensorProto {
            name: name.into(),
            data_type: data_type as i32,
            dims: dims.to_vec(),
            raw_data,
            ..TensorProto::default()
        }
    }

    fn node(op_type: &str, input: &[&str], attribute: AttributeProto) -> NodeProto {
        NodeProto {
            op_type: op_type.into(),
            input: input.iter().map(|&name| name.into()).collect(),
            output: vec!["weights".into()],
            attribute: vec![attribute],
            ..NodeProto::default()
        }
    }

    /// The shape and values of `weights` once a graph of one node and these tensors is converted;
    /// None where the node is left.
    fn converted(node: NodeProto, stored: Vec<TensorProto>) -> Option<(Vec<i64>, Vec<f32>)> {
        let loader = tract_onnx::onnx();
        let mut graph = GraphProto {
            node: vec![node],
            initializer: stored,
            ..GraphProto::default()
        };
        convert_weights(&loader, &mut graph).unwrap();
        let weights = graph.initializer.iter().find(|t| t.name == "weights")?;
        assert!(graph.node.is_empty());
        let values = load_tensor(&*loader.provider, weights, None).unwrap();
        Some((weights.dims.clone(), read_values(&values).unwrap()))
    }

    fn floats(values: &[f32]) -> Vec<u8> {
        values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect()
    }

    /// The integers 1 -2 3 and -4 5 -6.
    fn integers() -> TensorProto {
        tensor(
            "stored",
            DataType::Int8,
            &[2, 3],
            vec![1, 254, 3, 252, 5, 250],
        )
    }

    #[test]
    fn integers_get_the_scale_of_their_channel_along_either_axis() {
        let by_axis = |axis: i64, scales: &[f32]| {
            let shape = [scales.len() as i64];
            let scales = tensor("scales", DataType::Float, &shape, floats(scales));
            let node = node(
                "DequantizeLinear",
                &["stored", "scales"],
                integer("axis", axis),
            );
            converted(node, vec![integers(), scales])
        };
        let rows = vec![0.5, -1.0, 1.5, -8.0, 10.0, -12.0];
        assert_eq!(by_axis(0, &[0.5, 2.0]), Some((vec![2, 3], rows)));
        let columns = vec![1.0, -4.0, 0.75, -4.0, 10.0, -1.5];
        assert_eq!(by_axis(1, &[1.0, 2.0, 0.25]), Some((vec![2, 3], columns)));
        assert_eq!(by_axis(0, &[1.0, 2.0, 0.25]), None);
        assert_eq!(by_axis(2, &[1.0]), None);
    }

    #[test]
    fn halves_are_cast_and_computed_values_are_left() {
        // 1.5 and -0.25 in IEEE 754 half precision.
        let halves = tensor(
            "stored",
            DataType::Float16,
            &[2],
            vec![0x00, 0x3e, 0x00, 0xb4],
        );
        let to_float = integer("to", DataType::Float as i64);
        let cast = node("Cast", &["stored"], to_float.clone());
        assert_eq!(
            converted(cast, vec![halves.clone()]),
            Some((vec![2], vec![1.5, -0.25]))
        );
        let computed = node("Cast", &["frames"], to_float);
        assert_eq!(converted(computed, vec![halves]), None);
    }
}
