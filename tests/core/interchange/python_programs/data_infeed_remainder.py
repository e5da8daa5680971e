# {"error": "value-error/infeed-shape", "line": 8}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

import numpy as np
ds = tf.data.Dataset.from_tensor_slices((np.zeros((10, 4)), np.zeros((10,)))).batch(4)
q = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
