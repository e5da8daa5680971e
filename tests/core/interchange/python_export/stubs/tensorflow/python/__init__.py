from stub_ipu import ipu
