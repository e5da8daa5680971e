# {"classes": ["InputLayer", "InputLayer", "Dense", "Dense", "Subtract"], "stages": 4, "stage_list": [2, 0, 1, 3, 3]}
import tensorflow as tf
from tensorflow.python import ipu
with ipu.ipu_strategy.IPUStrategy().scope():
    a = tf.keras.Input((8,), batch_size=6)
    b = tf.keras.Input((8,), batch_size=6)
    s1 = tf.keras.layers.Dense(8, name="s1")
    s2 = tf.keras.layers.Dense(8, name="s2")
    with ipu.keras.PipelineStage(0):
        l = s1(a)
    with ipu.keras.PipelineStage(1):
        l = s2(l)
    with ipu.keras.PipelineStage(2):
        r = s1(b)
    with ipu.keras.PipelineStage(3):
        r = s2(r)
        d = tf.keras.layers.Subtract()([l, r])
    m = tf.keras.Model([a, b], d)
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=16, device_mapping=[0, 1, 0, 1])
    m.compile("sgd", "mse", steps_per_execution=16)
    m.fit([tf.zeros((960, 8)), tf.zeros((960, 8))], tf.zeros((960, 8)), batch_size=6)
