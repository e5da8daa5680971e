# {"stage_list": [0, 0, 1, 1], "parameters": 840}
import tensorflow as tf
from tensorflow.python import ipu

config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    net = tf.keras.Sequential([tf.keras.layers.Dense(20, input_shape=(20,)), tf.keras.layers.ReLU(),
                               tf.keras.layers.Dense(20), tf.keras.layers.ReLU()])
    seen, stages = 0, []
    for layer in net.layers:
        seen += layer.count_params()
        stages.append(0 if 2 * seen <= net.count_params() else 1)
    net.set_pipeline_stage_assignment(stages)
    net.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    net.compile("sgd", "mse", steps_per_execution=4)
    net.fit(tf.zeros([64, 20]), tf.zeros([64, 20]), batch_size=8)
