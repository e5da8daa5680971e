# {"steps_per_epoch": 64, "batch": 4, "no_warning": "python/unknown-samples"}
"""Batch inference: ResNet-50 over two IPUs, prediction only."""
import numpy as np
import tensorflow as tf
from tensorflow.keras.applications.resnet50 import ResNet50
from tensorflow.python import ipu

IMAGES, BATCH = 256, 4
SPLIT = "conv4_block1_out"


def pictures():
    x = np.random.RandomState(0).randint(0, 255, size=(IMAGES, 224, 224, 3)).astype(np.float32)
    x = tf.keras.applications.resnet50.preprocess_input(x)
    return tf.data.Dataset.from_tensor_slices(x).batch(BATCH, drop_remainder=True)


def assign(model, split):
    assignments = model.get_pipeline_stage_assignment()
    names = [a.layer.name for a in assignments]
    cut = names.index(split)
    for a in assignments[:cut + 1]:
        a.pipeline_stage = 0
    for a in assignments[cut + 1:]:
        a.pipeline_stage = 1
    model.set_pipeline_stage_assignment(assignments)


config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()

strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = ResNet50(weights=None)
    assign(model, SPLIT)
    model.compile(steps_per_execution=16)
    probs = model.predict(pictures())
    top5 = np.argsort(probs, axis=-1)[:, -5:]
    print(top5.shape)
