# {"ipus": 2, "steps_per_execution": 4}
import contextlib
import numpy as np
from tensorflow import keras
from tensorflow.python import ipu

config = ipu.config.IPUConfig()
config.auto_select_ipus = 2


@contextlib.contextmanager
def system():
    config.configure_ipu_system()
    try:
        yield ipu.ipu_strategy.IPUStrategy()
    finally:
        ipu.config.reset_ipu_configuration()


ipu.config.reset_ipu_configuration()
with system() as strategy:
    with strategy.scope():
        with ipu.keras.PipelineStage(0) if hasattr(ipu.keras, "none") else contextlib.nullcontext():
            inputs = keras.Input((int("0x4", 16),), batch_size=2)
        x = keras.layers.Dense(ord(" "), name="d" + chr(97) + format(5, "02d"))(inputs)
        model = keras.Model(inputs, keras.layers.Dense((6).bit_length())(x))
        model.set_pipeline_stage_assignment([0, 1])
        model.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
        model.compile("sgd", "mse", steps_per_execution=4)
        model.fit(np.zeros((16, 4)), np.zeros((16, 3)), batch_size=2)
