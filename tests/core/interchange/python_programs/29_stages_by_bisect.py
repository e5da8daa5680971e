# {"stages": 3, "stage_list": [0, 0, 1, 1, 2, 2]}
import bisect
import tensorflow as tf
from tensorflow.python import ipu
with ipu.ipu_strategy.IPUStrategy().scope():
    x = inputs = tf.keras.Input((8,))
    for i in range(6):
        x = tf.keras.layers.Dense(8, name=f"dense_{i}", kernel_regularizer=tf.keras.regularizers.L1L2(1e-5, 1e-4))(x)
    model = tf.keras.Model(inputs, x)
    assignments = model.get_pipeline_stage_assignment()
    for place, assignment in enumerate(assignments):
        assignment.pipeline_stage = bisect.bisect_left([1, 3], place)
    model.set_pipeline_stage_assignment(assignments)
