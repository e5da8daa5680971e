# {"layer_count": 3, "epochs": 3, "steps_per_epoch": 15, "optimizer": "Adam"}
%matplotlib inline
!pip install -q tqdm
get_ipython().run_line_magic('load_ext', 'autoreload')
get_ipython().system('gc-info -l')
import tensorflow as tf
from tensorflow.python import ipu
from tqdm import tqdm

config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(8, 'relu', input_shape=(4,)), tf.keras.layers.Dense(3, 'softmax')])
    model.compile('adam', 'sparse_categorical_crossentropy', steps_per_execution=5)
    data = tf.data.Dataset.from_tensor_slices((tf.ones((150, 4)), tf.zeros((150,), tf.int32))).batch(10, drop_remainder=True)
    for epoch in tqdm(range(3)):
        model.fit(data, epochs=1, verbose=0)
    model.evaluate(data)
