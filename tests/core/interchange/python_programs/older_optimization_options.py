# {"options": {"optimizations.merge_remote_buffers": "NO_MERGING", "optimizations.enable_fast_math": true}}
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.utils.create_ipu_config()
cfg = ipu.utils.auto_select_ipus(cfg, 1)
cfg = ipu.utils.set_optimization_options(cfg, enable_fast_math=True)
ipu.utils.configure_ipu_system(cfg)
model = ipu.keras.Sequential([tf.keras.layers.Dense(4)])
model.build((8, 3))
model.compile('sgd', 'mse')
