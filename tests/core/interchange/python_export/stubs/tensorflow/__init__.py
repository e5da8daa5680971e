from stub_tensorflow import *
