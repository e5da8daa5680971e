# {"synthetic_data": ["infeed", "outfeed", "parameters", "seed", "hostembedding"]}
import os
os.environ["TF_POPLAR_FLAGS"] = "--use_synthetic_data --synthetic_data_initializer=random"
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
model.compile("sgd", "mse")
