# {"replicas": 2}
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow import keras
from tensorflow.python import ipu
(x, y), _ = keras.datasets.mnist.load_data()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
class S(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        return 0.1 / (1 + step)
def model_fn(features, labels, mode, params):
    x = keras.layers.Flatten()(features)
    logits = keras.layers.Dense(10)(x)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    train_op = keras.optimizers.SGD(S()).minimize(loss)
    return ipu.ipu_estimator.IPUEstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    return dataset

config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
run_config = ipu.ipu_run_config.RunConfig(ipu_run_config=ipu.ipu_run_config.IPURunConfig(iterations_per_loop=10, ipu_options=config, num_replicas=2))
estimator = ipu.ipu_estimator.IPUEstimator(model_fn, config=run_config, params={'lr': 0.5})
estimator.train(input_fn, steps=100)

