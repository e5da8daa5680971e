# {"schedule": "Interleaved", "epochs": 3}
import argparse
import numpy as np
from tensorflow import keras
from tensorflow.python import ipu
ap = argparse.ArgumentParser()
ap.add_argument("--schedule", type=ipu.pipelining_ops.PipelineSchedule.__getitem__, default="Interleaved")
ap.add_argument("--size", type=str.lower, choices=["small", "large"], default="Large")
args = ap.parse_args()
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([keras.layers.Dense(8, input_shape=(4,)), keras.layers.Dense(1)])
    m.set_pipeline_stage_assignment([0, 1])
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=8, pipeline_schedule=args.schedule)
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((64, 4), "f4"), np.zeros((64, 1), "f4"), batch_size=8, epochs={"small": 2, "large": 3}[args.size])
