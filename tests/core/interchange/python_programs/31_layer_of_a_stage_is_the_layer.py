# {"stage_list": [0, 0, 1, 1, 1], "classes": ["InputLayer", "Dense", "Dense", "Dense", "Dense", "Dense"]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    inputs = keras.Input((8,), batch_size=4)
    first = keras.layers.Dense(16, name="first")
    widths = [12, 10, 6, 3]
    x = first(inputs)
    others = []
    for width in widths:
        others.append(keras.layers.Dense(width))
        x = others[-1](x)
    model = keras.Model(inputs, x)
    assert model.output_shape == (4, 3) and model.layers[1].output_shape == (4, 16)
    assert model.layers.index(others[1]) == 3
    stages = {first: 0, others[0]: 0}
    assignment = model.get_pipeline_stage_assignment()
    for entry in assignment:
        layer = entry.layer
        if layer is first or layer in (others[0],) or layer == first:
            entry.pipeline_stage = stages[layer]
        elif layer.units == 10 and entry.inbound_layers[0] is others[0] and entry.node_index == 0:
            entry.pipeline_stage = 1
        else:
            assert layer.__class__.__name__ == "Dense" and type(layer) is keras.layers.Dense
            entry.pipeline_stage = 1
    model.set_pipeline_stage_assignment(assignment)
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    model.compile("sgd", "mse")
