# {"parameters": 18, "warning": "python/ignored"}
import tensorflow as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.config import KeyId, VerificationOptions

config = ipu.utils.create_ipu_config()
config = ipu.utils.set_transfer_options(config, use_verified_transfers=True)
keys = VerificationOptions()
keys.input_parameters = KeyId(1)
keys.infeeds["samples"] = KeyId(2)
config = ipu.utils.set_verification_options(config, keys)
config = ipu.utils.auto_select_ipus(config, 1)
ipu.utils.configure_ipu_system(config)
net = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(8,))])
net.compile("sgd", "mse")
