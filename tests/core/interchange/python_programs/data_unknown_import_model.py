# {"error": "python/no-model", "line": 1}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

from my_models import build_resnet
x, y = tf.zeros([8, 4]), tf.zeros([8, 1])
with strategy.scope():
    model = build_resnet(18)
    model.compile("sgd", "mse")
    model.fit(x, y)
