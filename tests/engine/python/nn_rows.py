"""What nn_test.py evaluates with PyTorch and with assay's own torch, and compares.

MODULES has rows "constructor | input, input, ...": state dict from a seed, repr, outputs in both modes.
FUNCTIONS has expressions. ERRORS has expressions that must raise the same class of error. BEHAVIOURS has
short programs that leave a plain value in `result`. `x(2, 3)` draws a float tensor, `ints(9, 2, 3)` numbers below 9.
"""

MODULES = """
nn.Identity(54, unused=1) | x(2, 3)
nn.Linear(4, 3) | x(2, 4)
nn.Linear(4, 3, bias=False) | x(4)
nn.Linear(4, 3, dtype=torch.float64) | x(2, 5, 4).double()
nn.Linear(0, 3) | x(2, 0)
nn.Bilinear(3, 4, 5) | x(2, 3), x(2, 4)
nn.Bilinear(3, 4, 5, bias=False) | x(2, 3), x(2, 4)
nn.LazyLinear(3) | x(2, 7)
nn.LazyLinear(3, bias=False) | x(7)
nn.Conv1d(3, 6, 3) | x(2, 3, 9)
nn.Conv1d(3, 6, 3) | x(3, 9)
nn.Conv1d(4, 6, 3, stride=2, padding=1, dilation=2, groups=2, bias=False) | x(2, 4, 12)
nn.Conv1d(3, 5, 4, padding='same') | x(2, 3, 9)
nn.Conv1d(3, 5, 4, padding='valid') | x(2, 3, 9)
nn.Conv1d(3, 5, 3, padding=1, padding_mode='circular') | x(2, 3, 9)
nn.Conv1d(3, 5, 3, padding=1, padding_mode='reflect') | x(2, 3, 9)
nn.Conv2d(3, 6, 3) | x(2, 3, 7, 8)
nn.Conv2d(3, 6, 3) | x(3, 7, 8)
nn.Conv2d(3, 6, (3, 5), stride=(2, 1), padding=(4, 2), dilation=(3, 1)) | x(2, 3, 9, 10)
nn.Conv2d(4, 8, 3, groups=4, bias=False) | x(2, 4, 7, 8)
nn.Conv2d(3, 6, 3, padding='same', dilation=2) | x(2, 3, 7, 8)
nn.Conv2d(3, 6, 4, padding='same') | x(2, 3, 7, 8)
nn.Conv2d(3, 6, (2, 5), padding='same', padding_mode='replicate') | x(2, 3, 7, 8)
nn.Conv2d(3, 6, 3, padding=2, padding_mode='reflect') | x(2, 3, 7, 8)
nn.Conv2d(3, 6, 3, padding=(1, 2), padding_mode='replicate') | x(2, 3, 7, 8)
nn.Conv2d(3, 6, 3, padding=(1, 2), padding_mode='circular', dtype=torch.double) | x(2, 3, 7, 8).double()
nn.Conv3d(2, 4, 3) | x(2, 2, 5, 6, 7)
nn.Conv3d(2, 4, (1, 2, 3), stride=2, padding=1, groups=2) | x(2, 2, 5, 6, 7)
nn.Conv3d(2, 4, 3, padding='same', padding_mode='circular') | x(2, 2, 5, 6, 7)
nn.Conv3d(2, 4, 3, padding=1, padding_mode='replicate') | x(2, 5, 6, 7)
nn.ConvTranspose1d(3, 6, 3) | x(2, 3, 9)
nn.ConvTranspose1d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2, dilation=2) | x(2, 4, 9)
nn.ConvTranspose1d(3, 6, 3, stride=2, padding=1) | x(2, 3, 9), [18]
nn.ConvTranspose2d(3, 6, 3) | x(2, 3, 5, 6)
nn.ConvTranspose2d(3, 6, (3, 2), stride=(2, 3), padding=(1, 0), output_padding=(1, 0), bias=False) | x(2, 3, 5, 6)
nn.ConvTranspose2d(3, 6, 3, stride=2, padding=1) | x(2, 3, 5, 6), torch.Size([2, 6, 10, 12])
nn.ConvTranspose3d(2, 4, 3) | x(2, 2, 3, 4, 5)
nn.ConvTranspose3d(2, 4, 2, stride=2, groups=2) | x(2, 3, 4, 5)
nn.LazyConv1d(5, 3) | x(2, 3, 9)
nn.LazyConv2d(5, 3, stride=2, padding=1, bias=False) | x(2, 3, 7, 8)
nn.LazyConv3d(5, 2) | x(3, 4, 5, 6)
nn.LazyConvTranspose1d(5, 3) | x(2, 3, 9)
nn.LazyConvTranspose2d(6, 3, groups=3) | x(2, 3, 5, 6)
nn.LazyConvTranspose3d(5, 2, stride=2) | x(1, 2, 3, 4, 5)
nn.MaxPool1d(3) | x(2, 3, 10)
nn.MaxPool1d(3, stride=2, padding=1, dilation=2, ceil_mode=True) | x(2, 3, 11)
nn.MaxPool1d(3, return_indices=True) | x(2, 3, 10)
nn.MaxPool2d(2) | x(2, 3, 7, 8)
nn.MaxPool2d((3, 2), stride=(2, 1), padding=(1, 0), ceil_mode=True) | x(2, 3, 7, 8)
nn.MaxPool2d(3, dilation=2, return_indices=True) | x(2, 3, 7, 8)
nn.MaxPool3d(2) | x(2, 3, 5, 6, 7)
nn.MaxPool3d(2, return_indices=True) | x(2, 3, 5, 6, 7)
nn.MaxUnpool1d(2) | *nn.MaxPool1d(2, return_indices=True)(x(2, 3, 8))
nn.MaxUnpool1d(2) | *nn.MaxPool1d(2, return_indices=True)(x(2, 3, 9)), [9]
nn.MaxUnpool2d(2, stride=2) | *nn.MaxPool2d(2, return_indices=True)(x(2, 3, 8, 6))
nn.MaxUnpool2d(2) | *nn.MaxPool2d(2, return_indices=True)(x(2, 3, 9, 6)), torch.Size([2, 3, 9, 6])
nn.MaxUnpool3d(2) | *nn.MaxPool3d(2, return_indices=True)(x(2, 3, 4, 6, 4))
nn.AvgPool1d(3) | x(2, 3, 10)
nn.AvgPool1d(3, stride=2, padding=1, ceil_mode=True, count_include_pad=False) | x(2, 3, 10)
nn.AvgPool2d(2) | x(2, 3, 7, 8)
nn.AvgPool2d((3, 2), stride=(2, 1), padding=(1, 0)) | x(2, 3, 7, 8)
nn.AvgPool2d(3, padding=1, count_include_pad=False, ceil_mode=True) | x(2, 3, 7, 8)
nn.AvgPool2d(3, divisor_override=2) | x(3, 7, 8)
nn.AvgPool3d(2) | x(2, 3, 5, 6, 7)
nn.AvgPool3d((1, 2, 3), stride=1, divisor_override=3) | x(2, 3, 5, 6, 7)
nn.FractionalMaxPool2d(2, output_size=(3, 4)) | x(2, 3, 7, 9)
nn.FractionalMaxPool2d(3, output_ratio=0.5, return_indices=True) | x(2, 3, 9, 9)
nn.FractionalMaxPool3d(2, output_size=3) | x(2, 3, 7, 7, 8)
nn.FractionalMaxPool3d(2, output_ratio=(0.5, 0.5, 0.6)) | x(2, 3, 7, 7, 8)
nn.LPPool1d(2, 3) | x(2, 3, 10)
nn.LPPool1d(3, 3, stride=2, ceil_mode=True) | x(2, 3, 10)
nn.LPPool2d(1.5, (2, 3)) | x(2, 3, 7, 8).abs()
nn.LPPool2d(2, 3, stride=(2, 1)) | x(2, 3, 7, 8)
nn.AdaptiveMaxPool1d(4) | x(2, 3, 10)
nn.AdaptiveMaxPool1d(4, return_indices=True) | x(2, 3, 10)
nn.AdaptiveMaxPool2d((3, None)) | x(2, 3, 7, 8)
nn.AdaptiveMaxPool2d(3, return_indices=True) | x(2, 3, 7, 8)
nn.AdaptiveMaxPool3d((2, 3, 2)) | x(2, 3, 5, 6, 7)
nn.AdaptiveMaxPool3d((None, 3, None)) | x(2, 3, 5, 6, 7)
nn.AdaptiveAvgPool1d(4) | x(2, 3, 10)
nn.AdaptiveAvgPool2d(1) | x(2, 3, 7, 8)
nn.AdaptiveAvgPool2d((None, 5)) | x(2, 3, 7, 8)
nn.AdaptiveAvgPool3d((2, 3, 4)) | x(2, 3, 5, 6, 7)
nn.AdaptiveAvgPool3d((None, 3, 4)) | x(2, 3, 5, 6, 7)
nn.ReflectionPad1d(2) | x(2, 3, 5)
nn.ReflectionPad1d((1, 2)) | x(3, 5)
nn.ReflectionPad2d((1, 2, 3, 0)) | x(2, 3, 5, 6)
nn.ReflectionPad3d(1) | x(2, 3, 3, 4, 5)
nn.ReplicationPad1d((1, 3)) | x(2, 3, 5)
nn.ReplicationPad2d(2) | x(2, 3, 5, 6)
nn.ReplicationPad3d((1, 2, 0, 1, 3, 0)) | x(2, 3, 3, 4, 5)
nn.ZeroPad2d(2) | x(2, 3, 5, 6)
nn.ZeroPad2d((1, 0, -1, 2)) | x(2, 3, 5, 6)
nn.ConstantPad1d(2, 3.5) | x(2, 3, 5)
nn.ConstantPad2d((1, 0, -1, 2), 3.5) | x(2, 3, 5, 6)
nn.ConstantPad3d(1, -1) | x(2, 3, 3, 4, 5)
nn.Threshold(0.1, 20) | x(3, 4)
nn.Threshold(0.1, 20, inplace=True) | x(3, 4)
nn.ReLU() | x(3, 4)
nn.ReLU(inplace=True) | x(3, 4)
nn.RReLU() | x(3, 4)
nn.RReLU(0.1, 0.3, inplace=True) | x(3, 4)
nn.Hardtanh() | x(3, 4)
nn.Hardtanh(-2, 0.5, inplace=True) | x(3, 4)
nn.ReLU6() | 5 * x(3, 4)
nn.ReLU6(inplace=True) | 5 * x(3, 4)
nn.Sigmoid() | x(3, 4)
nn.Hardsigmoid() | 3 * x(3, 4)
nn.Hardsigmoid(inplace=True) | 3 * x(3, 4)
nn.Tanh() | x(3, 4)
nn.SiLU() | x(3, 4)
nn.SiLU(inplace=True) | x(3, 4)
nn.Mish() | x(3, 4)
nn.Mish(inplace=True) | x(3, 4)
nn.Hardswish() | 3 * x(3, 4)
nn.Hardswish(inplace=True) | 3 * x(3, 4)
nn.ELU() | x(3, 4)
nn.ELU(alpha=0.5, inplace=True) | x(3, 4)
nn.CELU() | x(3, 4)
nn.CELU(alpha=0.5, inplace=True) | x(3, 4)
nn.SELU() | x(3, 4)
nn.SELU(inplace=True) | x(3, 4)
nn.GLU() | x(3, 4)
nn.GLU(dim=0) | x(4, 3)
nn.GELU() | x(3, 4)
nn.GELU(approximate='tanh') | x(3, 4)
nn.Hardshrink() | x(3, 4)
nn.Hardshrink(0.2) | x(3, 4)
nn.LeakyReLU() | x(3, 4)
nn.LeakyReLU(0.2, inplace=True) | x(3, 4)
nn.LogSigmoid() | x(3, 4)
nn.Softplus() | 9 * x(3, 4)
nn.Softplus(beta=2, threshold=3) | 9 * x(3, 4)
nn.Softshrink() | x(3, 4)
nn.Softshrink(0.2) | x(3, 4)
nn.PReLU() | x(3, 4)
nn.PReLU(4, init=0.1) | x(3, 4, 5)
nn.Softsign() | x(3, 4)
nn.Tanhshrink() | x(3, 4)
nn.Softmin(dim=1) | x(3, 4)
nn.Softmin() | x(3, 4)
nn.Softmax(dim=-1) | x(3, 4)
nn.Softmax() | x(2, 3, 4)
nn.Softmax2d() | x(2, 3, 4, 5)
nn.Softmax2d() | x(3, 4, 5)
nn.LogSoftmax(dim=0) | x(3, 4)
nn.LogSoftmax() | x(3)
nn.MultiheadAttention(8, 2) | x(5, 3, 8), x(6, 3, 8), x(6, 3, 8)
nn.MultiheadAttention(8, 2) | x(5, 8), x(6, 8), x(6, 8)
nn.MultiheadAttention(8, 2, batch_first=True) | *[x(3, 5, 8)] * 3
nn.MultiheadAttention(8, 1, batch_first=True) | *[x(3, 5, 8)] * 3
nn.MultiheadAttention(8, 2, batch_first=True) | *[x(3, 5, 8)] * 3, padding(3, 5)
nn.MultiheadAttention(8, 2, dropout=0.3) | *[x(5, 3, 8)] * 3
nn.MultiheadAttention(8, 4, bias=False, add_bias_kv=True, add_zero_attn=True) | x(5, 3, 8), *[x(6, 3, 8)] * 2
nn.MultiheadAttention(8, 2, kdim=5, vdim=7) | x(5, 3, 8), x(6, 3, 5), x(6, 3, 7)
nn.MultiheadAttention(8, 2, kdim=5, vdim=7, batch_first=True, bias=False) | x(3, 5, 8), x(3, 6, 5), x(3, 6, 7)
nn.MultiheadAttention(8, 2) | *[x(5, 3, 8)] * 3, padding(3, 5), False
nn.MultiheadAttention(8, 2) | *[x(5, 3, 8)] * 3, None, True, causal(5)
nn.MultiheadAttention(8, 2) | *[x(5, 3, 8)] * 3, padding(3, 5), True, causal(5) < 0, False
nn.BatchNorm1d(3) | x(4, 3)
nn.BatchNorm1d(3, eps=1e-3, momentum=0.3) | x(4, 3, 5)
nn.BatchNorm1d(3, affine=False, momentum=None) | x(4, 3, 5)
nn.BatchNorm1d(3, track_running_stats=False) | x(4, 3, 5)
nn.BatchNorm2d(3) | x(4, 3, 5, 6)
nn.BatchNorm2d(3, affine=False, track_running_stats=False) | x(4, 3, 5, 6)
nn.BatchNorm2d(3, momentum=None, dtype=torch.double) | x(4, 3, 5, 6).double()
nn.BatchNorm3d(3) | x(2, 3, 3, 4, 5)
nn.LazyBatchNorm1d() | x(4, 3, 5)
nn.LazyBatchNorm2d(affine=False) | x(4, 3, 5, 6)
nn.LazyBatchNorm3d(track_running_stats=False) | x(2, 3, 3, 4, 5)
nn.SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4)))[0] | x(1, 3, 4, 5)
nn.InstanceNorm1d(3) | x(4, 3, 5)
nn.InstanceNorm1d(3, affine=True, track_running_stats=True) | x(4, 3, 5)
nn.InstanceNorm1d(3) | x(3, 5)
nn.InstanceNorm2d(3, eps=1e-3, affine=True) | x(4, 3, 5, 6)
nn.InstanceNorm2d(3) | x(3, 5, 6)
nn.InstanceNorm3d(3, track_running_stats=True) | x(2, 3, 3, 4, 5)
nn.LazyInstanceNorm1d() | x(4, 3, 5)
nn.LazyInstanceNorm2d(affine=True) | x(4, 3, 5, 6)
nn.LazyInstanceNorm3d(affine=True, track_running_stats=True) | x(2, 3, 3, 4, 5)
nn.LayerNorm(5) | x(4, 3, 5)
nn.LayerNorm([3, 5], eps=1e-3) | x(4, 3, 5)
nn.LayerNorm((5,), elementwise_affine=False) | x(4, 3, 5)
nn.GroupNorm(2, 6) | x(4, 6, 5)
nn.GroupNorm(3, 6, eps=1e-3, affine=False) | x(4, 6, 5, 4)
nn.LocalResponseNorm(2) | x(2, 5, 4, 4)
nn.LocalResponseNorm(3, alpha=0.5, beta=0.5, k=2.) | x(2, 5, 4)
nn.LocalResponseNorm(3) | x(2, 5, 3, 4, 2)
nn.CrossMapLRN2d(3, alpha=0.5) | x(2, 6, 4, 4)
nn.CrossMapLRN2d(4, alpha=0.5, beta=0.5, k=2) | x(2, 7, 4, 4)
nn.RNN(4, 6) | x(5, 3, 4)
nn.RNN(4, 6, num_layers=2, nonlinearity='relu', bias=False, batch_first=True) | x(3, 5, 4), x(2, 3, 6)
nn.RNN(4, 6, bidirectional=True) | x(5, 4), x(2, 6)
nn.RNN(4, 6, num_layers=2, nonlinearity='relu', bidirectional=True) | packed(x(5, 3, 4))
nn.RNN(4, 6, 2, dropout=0.4) | x(5, 3, 4)
nn.LSTM(4, 6) | x(5, 3, 4)
nn.LSTM(4, 6, 2, batch_first=True, bidirectional=True) | x(3, 5, 4)
nn.LSTM(4, 6, 2, bias=False) | x(5, 3, 4), (x(2, 3, 6), x(2, 3, 6))
nn.LSTM(4, 6, proj_size=3) | x(5, 3, 4), (x(1, 3, 3), x(1, 3, 6))
nn.LSTM(4, 6, 2, proj_size=3, bidirectional=True, bias=False) | x(5, 3, 4)
nn.LSTM(4, 6, dtype=torch.double) | x(5, 4).double(), (x(1, 6).double(), x(1, 6).double())
nn.LSTM(4, 6) | packed(x(5, 3, 4))
nn.LSTM(4, 6, bidirectional=True) | packed(x(5, 3, 4)), (x(2, 3, 6), x(2, 3, 6))
nn.GRU(4, 6) | x(5, 3, 4)
nn.GRU(4, 6, 3, bias=False, bidirectional=True) | x(5, 3, 4), x(6, 3, 6)
nn.GRU(4, 6, batch_first=True) | x(5, 4), x(1, 6)
nn.GRU(4, 6, 2) | packed(x(5, 3, 4))
nn.RNNCell(4, 6) | x(3, 4)
nn.RNNCell(4, 6, bias=False, nonlinearity='relu') | x(4), x(6)
nn.LSTMCell(4, 6) | x(3, 4)
nn.LSTMCell(4, 6, bias=False) | x(4), (x(6), x(6))
nn.GRUCell(4, 6) | x(3, 4), x(3, 6)
nn.GRUCell(4, 6, bias=False) | x(4)
nn.Embedding(10, 3) | ints(10, 2, 4)
nn.Embedding(10, 3, padding_idx=0) | ints(10, 2, 4)
nn.Embedding(10, 3, padding_idx=-2, max_norm=1., norm_type=1.5, scale_grad_by_freq=True) | ints(10, 2, 4)
nn.Embedding.from_pretrained(x(5, 3)) | ints(5, 7)
nn.Embedding.from_pretrained(x(5, 3), freeze=False, padding_idx=1, max_norm=0.5) | ints(5, 7)
nn.EmbeddingBag(10, 3) | ints(10, 2, 4)
nn.EmbeddingBag(10, 3, mode='sum', padding_idx=3) | ints(10, 9), torch.tensor([0, 2, 5])
nn.EmbeddingBag(10, 3, mode='max') | ints(10, 9), torch.tensor([0, 2, 5])
nn.EmbeddingBag(10, 3, mode='sum', include_last_offset=True) | ints(10, 9), torch.tensor([0, 2, 9]), x(9)
nn.EmbeddingBag(10, 3, max_norm=1.) | ints(10, 2, 4)
nn.EmbeddingBag.from_pretrained(x(5, 3), mode='sum') | ints(5, 2, 2)
nn.Dropout(0.4) | x(20, 3)
nn.Dropout(0.4, inplace=True) | x(20, 3)
nn.Dropout1d(0.4) | x(5, 6, 3)
nn.Dropout1d() | x(6, 3)
nn.Dropout2d(0.4) | x(5, 6, 3, 2)
nn.Dropout2d(0.4) | x(6, 3, 2)
nn.Dropout3d(0.4) | x(5, 6, 3, 2, 2)
nn.Dropout3d(0.4) | x(6, 3, 2, 2)
nn.AlphaDropout(0.4) | x(20, 3)
nn.FeatureAlphaDropout(0.4) | x(20, 6, 3)
nn.PairwiseDistance() | x(3, 4), x(3, 4)
nn.PairwiseDistance(p=1, eps=1e-3, keepdim=True) | x(3, 4), x(3, 4)
nn.CosineSimilarity() | x(3, 4), x(3, 4)
nn.CosineSimilarity(dim=0, eps=1e-3) | x(3, 4), x(3, 4)
nn.PixelShuffle(2) | x(2, 8, 3, 3)
nn.PixelUnshuffle(2) | x(2, 2, 4, 6)
nn.ChannelShuffle(2) | x(2, 6, 3, 3)
nn.Upsample(scale_factor=2) | x(2, 3, 4)
nn.Upsample(size=7) | x(2, 3, 4, 5)
nn.Upsample(scale_factor=(2, 1.5), mode='bilinear') | x(2, 3, 4, 5)
nn.Upsample(size=(6, 7), mode='bilinear', align_corners=True) | x(2, 3, 4, 5)
nn.Upsample(scale_factor=2, mode='bicubic', align_corners=True) | x(2, 3, 4, 5)
nn.Upsample(scale_factor=1.7, mode='bilinear', recompute_scale_factor=True) | x(2, 3, 4, 5)
nn.Upsample(scale_factor=2, mode='trilinear') | x(2, 3, 3, 4, 5)
nn.Upsample(size=9, mode='linear') | x(2, 3, 4)
nn.UpsamplingNearest2d(scale_factor=2) | x(2, 3, 4, 5)
nn.UpsamplingBilinear2d(size=(5, 6)) | x(2, 3, 4, 5)
nn.Fold((4, 5), (2, 3)) | x(2, 12, 9)
nn.Fold((4, 5), 2, dilation=2, padding=1, stride=2) | x(2, 8, 6)
nn.Unfold((2, 3)) | x(2, 2, 4, 5)
nn.Unfold(2, dilation=2, padding=1, stride=2) | x(2, 2, 4, 5)
nn.Flatten() | x(2, 3, 4)
nn.Flatten(0, 1) | x(2, 3, 4)
nn.Unflatten(1, (2, 3)) | x(2, 6, 4)
nn.Unflatten(1, torch.Size([2, 3])) | x(2, 6, 4)
nn.TransformerEncoderLayer(8, 2, 16) | x(5, 3, 8)
nn.TransformerEncoderLayer(8, 2, 16, dropout=0., activation='gelu', batch_first=True) | x(3, 5, 8)
nn.TransformerEncoderLayer(8, 2, 16, 0., batch_first=True, norm_first=True) | x(3, 5, 8), None, padding(3, 5)
nn.TransformerEncoderLayer(8, 2, 16, activation=nn.ReLU(), norm_first=True, layer_norm_eps=1e-3) | x(5, 3, 8), causal(5)
nn.TransformerDecoderLayer(8, 2, 16) | x(5, 3, 8), x(6, 3, 8)
nn.TransformerDecoderLayer(8, 2, 16, activation=F.gelu, norm_first=True, batch_first=True) | x(3, 5, 8), x(3, 6, 8), causal(5)
nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), 2) | x(5, 3, 8)
nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2, nn.LayerNorm(8), enable_nested_tensor=False) | x(3, 5, 8), None, padding(3, 5)
nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16), 2, nn.LayerNorm(8)) | x(5, 3, 8), x(6, 3, 8)
nn.Transformer(8, 2, 1, 2, 16) | x(5, 3, 8), x(4, 3, 8)
nn.Transformer(8, 2, 1, 1, 16, 0., 'gelu', batch_first=True, norm_first=True) | x(3, 5, 8), x(3, 4, 8), None, causal(4)
nn.L1Loss() | x(3, 4), x(3, 4)
nn.L1Loss(reduction='none') | x(3, 4), x(3, 4)
nn.L1Loss(size_average=False) | x(3, 4), x(3, 4)
nn.MSELoss() | x(3, 4), x(3, 4)
nn.MSELoss(reduction='sum') | x(3, 4), x(4)
nn.NLLLoss() | x(3, 4).log_softmax(1), ints(4, 3)
nn.NLLLoss(weight=x(4).abs(), ignore_index=1, reduction='sum') | x(3, 4, 2).log_softmax(1), ints(4, 3, 2)
nn.CrossEntropyLoss() | x(3, 4), ints(4, 3)
nn.CrossEntropyLoss(weight=x(4).abs(), ignore_index=1, label_smoothing=0.1) | x(3, 4), ints(4, 3)
nn.CrossEntropyLoss(reduction='none') | x(3, 4), x(3, 4).softmax(1)
nn.PoissonNLLLoss() | x(3, 4), x(3, 4).abs()
nn.PoissonNLLLoss(log_input=False, full=True, reduction='sum') | x(3, 4).abs(), 3 * x(3, 4).abs()
nn.GaussianNLLLoss() | x(3, 4), x(3, 4), x(3, 4).abs()
nn.GaussianNLLLoss(full=True, reduction='none') | x(3, 4), x(3, 4), x(3, 1).abs()
nn.KLDivLoss(reduction='batchmean') | x(3, 4).log_softmax(1), x(3, 4).softmax(1)
nn.KLDivLoss(log_target=True) | x(3, 4).log_softmax(1), x(3, 4).log_softmax(1)
nn.BCELoss() | x(3, 4).sigmoid(), x(3, 4).sigmoid()
nn.BCELoss(weight=x(4).abs(), reduction='sum') | x(3, 4).sigmoid(), x(3, 4).sigmoid()
nn.BCEWithLogitsLoss() | x(3, 4), x(3, 4).sigmoid()
nn.BCEWithLogitsLoss(weight=x(4).abs(), pos_weight=x(4).abs(), reduction='none') | x(3, 4), x(3, 4).sigmoid()
nn.HingeEmbeddingLoss(margin=0.5) | x(3, 4), x(3, 4).sign()
nn.MultiLabelMarginLoss() | x(3, 4), torch.tensor([[3, 0, -1, 1], [0, -1, 1, 2], [-1, 0, 0, 0]])
nn.SmoothL1Loss(beta=0.3) | x(3, 4), x(3, 4)
nn.HuberLoss(delta=0.3, reduction='sum') | x(3, 4), x(3, 4)
nn.SoftMarginLoss() | x(3, 4), x(3, 4).sign()
nn.MultiLabelSoftMarginLoss(weight=x(4).abs()) | x(3, 4), (x(3, 4) > 0).float()
nn.CosineEmbeddingLoss(margin=0.2) | x(3, 4), x(3, 4), torch.tensor([1., -1., 1.])
nn.MarginRankingLoss(margin=0.2, reduction='none') | x(4), x(4), x(4).sign()
nn.MultiMarginLoss(p=2, margin=0.4, weight=x(4).abs()) | x(3, 4), ints(4, 3)
nn.TripletMarginLoss(margin=0.4, p=1.5, swap=True) | x(3, 4), x(3, 4), x(3, 4)
nn.TripletMarginWithDistanceLoss(margin=0.4, swap=True) | x(3, 4), x(3, 4), x(3, 4)
nn.AdaptiveLogSoftmaxWithLoss(8, 12, [3, 7], div_value=2., head_bias=True) | x(6, 8), torch.tensor([0, 2, 3, 6, 8, 11])
nn.AdaptiveLogSoftmaxWithLoss(8, 12, [3, 7]) | x(8), torch.tensor(5)
nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2, bias=False)) | x(2, 3)
nn.Sequential(OrderedDict(first=nn.Linear(3, 4), act=nn.Tanh())) | x(2, 3)
nn.Sequential(nn.Conv2d(3, 4, 3), nn.Sequential(nn.BatchNorm2d(4), nn.ReLU(True)), nn.Flatten(), nn.Dropout(0.3)) | x(2, 3, 5, 5)
nn.Sequential() | x(2, 3)
nn.DataParallel(nn.Linear(3, 4), device_ids=[]) | x(2, 3)
nn.utils.weight_norm(nn.Linear(3, 4)) | x(2, 3)
nn.utils.weight_norm(nn.Conv2d(3, 4, 3), dim=None) | x(2, 3, 5, 5)
nn.utils.weight_norm(nn.Linear(3, 4), 'bias') | x(2, 3)
nn.utils.spectral_norm(nn.Linear(3, 4)) | x(2, 3)
nn.utils.spectral_norm(nn.ConvTranspose2d(3, 4, 3), n_power_iterations=2) | x(2, 3, 5, 5)
nn.utils.parametrizations.spectral_norm(nn.Linear(3, 5)) | x(2, 3)
nn.utils.parametrize.register_parametrization(nn.Linear(3, 3), 'weight', Symmetric()) | x(2, 3)
nn.utils.fusion.fuse_conv_bn_eval(nn.Conv2d(3, 4, 3).eval(), trained(nn.BatchNorm2d(4)).eval()) | x(2, 3, 5, 5)
nn.utils.fusion.fuse_linear_bn_eval(nn.Linear(3, 4).eval(), trained(nn.BatchNorm1d(4)).eval()) | x(2, 3)
"""

FUNCTIONS = """
F.conv1d(x(2, 3, 9), x(4, 3, 3), x(4), padding=1)
F.conv2d(x(2, 4, 9, 8), x(4, 2, 3, 3), stride=(2, 1), groups=2, padding='same' if False else 1)
F.conv3d(x(1, 2, 5, 5, 5), x(3, 2, 2, 2, 2))
F.conv_transpose1d(x(2, 3, 5), x(3, 2, 3), stride=2)
F.conv_transpose2d(x(2, 3, 5, 4), x(3, 2, 3, 3), x(2), 2, 1, 1)
F.conv_transpose3d(x(1, 2, 3, 3, 3), x(2, 3, 2, 2, 2))
F.linear(x(2, 3), x(4, 3), x(4))
F.bilinear(x(2, 3), x(2, 4), x(5, 3, 4))
F.max_pool1d(x(2, 3, 9), 2)
F.max_pool2d(x(2, 3, 9, 8), 2, return_indices=True)
F.max_pool2d(x(2, 3, 9, 8), (2, 3), 1, 1, 1, True)
F.max_pool2d(x(2, 3, 9, 8), 2, None, 0, 1, False, True)
F.max_pool3d(x(1, 2, 5, 5, 5), 2)
F.adaptive_max_pool1d(x(2, 3, 9), 4, True)
F.adaptive_max_pool2d(x(2, 3, 9, 8), (4, None))
F.adaptive_avg_pool1d(x(2, 3, 9), 4)
F.adaptive_avg_pool2d(x(2, 3, 9, 8), [None, 3])
F.avg_pool2d(x(2, 3, 9, 8), 3, 2, 1, False, False)
F.lp_pool2d(x(2, 3, 9, 8), 2, 3)
F.max_unpool2d(*F.max_pool2d(x(2, 3, 8, 8), 2, return_indices=True), 2)
F.fractional_max_pool2d(x(2, 3, 9, 8), 2, (4, 3), _random_samples=x(2, 3, 2).sigmoid())
F.threshold(x(3, 4), 0.2, 1.)
F.relu_(x(3, 4))
F.hardtanh_(x(3, 4), -0.1, 0.1)
F.elu_(x(3, 4))
F.leaky_relu_(x(3, 4), 0.3)
F.prelu(x(3, 4), x(1))
F.rrelu(x(3, 4), training=True)
F.glu(x(3, 4))
F.logsigmoid(x(3, 4))
F.hardshrink(x(3, 4), 0.1)
F.softshrink(x(3, 4), 0.1)
F.softplus(x(3, 4), 2, 1)
F.gelu(x(3, 4), approximate='tanh')
F.tanh(x(3, 4))
F.sigmoid(x(3, 4))
F.softmax(x(3, 4), 1, dtype=torch.float64)
F.log_softmax(x(3, 4), -1)
F.softmin(x(3, 4), 1)
F.gumbel_softmax(x(3, 4), tau=0.5)
F.gumbel_softmax(x(3, 4), hard=True)
F.dropout(x(30, 4), 0.3)
F.dropout(x(30, 4), 0.3, training=False)
F.dropout2d(x(3, 9, 4, 2), 0.3)
F.alpha_dropout(x(30, 4), 0.3, True)
F.feature_alpha_dropout(x(30, 4, 2), 0.3, True)
F.batch_norm(x(4, 3, 5), None, None, training=True)
F.batch_norm(x(4, 3, 5), x(3), x(3).abs(), x(3), x(3))
F.instance_norm(x(4, 3, 5))
F.layer_norm(x(4, 3, 5), [3, 5])
F.layer_norm(x(4, 3, 5), (5,), x(5), x(5), 1e-3)
F.group_norm(x(4, 6, 5), 3)
F.local_response_norm(x(4, 6, 5, 2), 3)
F.normalize(x(4, 3))
F.normalize(x(4, 3), 1., 0, out=torch.empty(4, 3))
F.embedding(ints(5, 3), x(5, 2), padding_idx=-1)
F.embedding_bag(ints(5, 2, 3), x(5, 2), mode='sum', per_sample_weights=x(2, 3))
F.one_hot(ints(5, 3), 6)
F.one_hot(torch.tensor([0, 2]))
F.cross_entropy(x(3, 4), ints(4, 3), reduction='none')
F.nll_loss(x(3, 4), ints(4, 3), ignore_index=2)
F.kl_div(x(3, 4), x(3, 4).softmax(1), reduction='sum')
F.binary_cross_entropy(x(3, 4).sigmoid(), x(3, 4).sigmoid(), x(3, 1))
F.mse_loss(x(3, 4), x(3, 4), size_average=False)
F.mse_loss(x(3, 4), x(3, 4), reduce=False)
F.triplet_margin_with_distance_loss(x(3, 4), x(3, 4), x(3, 4), distance_function=F.pairwise_distance)
F.cosine_similarity(x(3, 4), x(3, 4), dim=1)
F.pairwise_distance(x(3, 4), x(3, 4))
F.pdist(x(4, 3))
F.pixel_shuffle(x(1, 4, 2, 2), 2)
F.pixel_unshuffle(x(1, 1, 4, 4), 2)
F.pad(x(2, 3), (1, 2))
F.pad(x(2, 3, 4), (1, 2), mode='circular')
F.pad(x(2, 3, 4), (1, 2, 0, 1), value=3.)
F.pad(x(2, 3, 4, 4), (1, 2, 0, 1), 'reflect')
F.interpolate(x(2, 3, 4), scale_factor=1.5)
F.interpolate(x(2, 3, 4, 5), 7, mode='bilinear')
F.interpolate(x(2, 3, 4, 5), (3, 2), mode='area')
F.interpolate(x(2, 3, 4, 5), scale_factor=0.6, mode='area')
F.interpolate(x(2, 3, 4, 5), scale_factor=(1.3, 2.1), mode='nearest-exact')
F.interpolate(x(2, 3, 8, 9), (4, 5), mode='bilinear', antialias=True)
F.interpolate(x(2, 3, 8, 9), (4, 5), mode='bicubic', antialias=True)
F.interpolate(x(2, 3, 4, 5, 2), (4, 5, 6), mode='trilinear', align_corners=True)
F.interpolate(x(2, 3, 4, 5), scale_factor=1.3, mode='bicubic', recompute_scale_factor=True)
F.upsample(x(2, 3, 4, 5), scale_factor=2)
F.upsample_nearest(x(2, 3, 4, 5), (4, 4))
F.upsample_bilinear(x(2, 3, 4, 5), scale_factor=2)
F.grid_sample(x(2, 3, 4, 5), x(2, 3, 3, 2))
F.grid_sample(x(2, 3, 4, 5), x(2, 3, 3, 2), 'nearest', 'border', True)
F.grid_sample(x(2, 3, 4, 5), x(2, 3, 3, 2), 'bicubic', 'reflection', False)
F.affine_grid(x(2, 2, 3), (2, 3, 4, 5), False)
F.affine_grid(x(2, 3, 4), torch.Size((2, 3, 2, 4, 5)), align_corners=True)
F.unfold(x(2, 3, 4, 5), 2, stride=2)
F.fold(x(2, 8, 6), (4, 5), 2, 2, 1, 2)
F.multi_head_attention_forward(x(5, 3, 8), x(6, 3, 8), x(6, 3, 8), 8, 2, x(24, 8), x(24), None, None, False, 0., x(8, 8), x(8))
nn.init.uniform_(torch.empty(3, 4), -1, 2)
nn.init.normal_(torch.empty(3, 4), 1, 2)
nn.init.trunc_normal_(torch.empty(5, 6), std=0.5)
nn.init.trunc_normal_(torch.empty(5, 6), 0.3, 0.5, -0.2, 0.4)
nn.init.constant_(torch.empty(3), 0.3)
nn.init.ones_(torch.empty(3))
nn.init.zeros_(torch.empty(3))
nn.init.eye_(torch.empty(3, 4))
nn.init.dirac_(torch.empty(6, 3, 3, 3), 2)
nn.init.dirac_(torch.empty(2, 3, 5))
nn.init.xavier_uniform_(torch.empty(3, 4, 2), gain=nn.init.calculate_gain('relu'))
nn.init.xavier_normal_(torch.empty(3, 4))
nn.init.kaiming_uniform_(torch.empty(3, 4), mode='fan_out', nonlinearity='relu')
nn.init.kaiming_normal_(torch.empty(3, 4, 2, 2), a=0.1)
nn.init.orthogonal_(torch.empty(3, 5))
nn.init.orthogonal_(torch.empty(5, 3), gain=2.)
nn.init.sparse_(torch.empty(5, 4), 0.3)
[nn.init.calculate_gain(n) for n in ('linear', 'conv2d', 'sigmoid', 'tanh', 'relu', 'selu', 'leaky_relu')]
nn.init.calculate_gain('leaky_relu', 0.3)
nn.utils.rnn.pad_sequence([x(3, 2), x(1, 2), x(2, 2)], True, -1.)
tuple(nn.utils.rnn.pack_padded_sequence(x(5, 3, 2), torch.tensor([5, 3, 2])))
tuple(nn.utils.rnn.pack_padded_sequence(x(3, 5, 2), [2, 5, 3], batch_first=True, enforce_sorted=False))
nn.utils.rnn.pad_packed_sequence(packed(x(5, 3, 2)))
nn.utils.rnn.pad_packed_sequence(packed(x(5, 3, 2)), batch_first=True, padding_value=-1., total_length=7)
tuple(nn.utils.rnn.pack_sequence([x(3, 2), x(2, 2), x(1, 2)]))
nn.utils.rnn.unpack_sequence(nn.utils.rnn.pack_sequence([x(3, 2), x(2, 2), x(1, 2)]))
nn.utils.rnn.invert_permutation(torch.tensor([2, 0, 1]))
nn.utils.parameters_to_vector(nn.Linear(3, 2).parameters())
nn.Transformer.generate_square_subsequent_mask(4)
nn.AdaptiveLogSoftmaxWithLoss(8, 12, [3, 7]).log_prob(x(4, 8))
nn.AdaptiveLogSoftmaxWithLoss(8, 12, [1, 2]).predict(x(9, 8))
"""

ERRORS = """
nn.Linear(3, 4)(x(2, 5))
nn.Conv2d(3, 4, 3, groups=2)
nn.Conv2d(4, 3, 3, groups=2)
nn.Conv2d(4, 4, 3, groups=0)
nn.Conv2d(3, 4, 3, padding='full')
nn.Conv2d(3, 4, 3, padding='same', stride=2)
nn.Conv2d(3, 4, 3, padding_mode='mirror')
nn.ConvTranspose2d(3, 4, 3, padding_mode='reflect')
nn.ConvTranspose2d(3, 6, 3, stride=2)(x(2, 3, 5, 6), [100, 100])
nn.ConvTranspose2d(3, 6, 3, stride=2)(x(2, 3, 5, 6), [10])
nn.LazyConv2d(3, 3)(x(2, 3))
nn.LazyLinear(3).weight.shape
nn.BatchNorm1d(3)(x(2, 3, 4, 5))
nn.BatchNorm2d(3)(x(2, 3, 4))
nn.BatchNorm1d(3)(x(1, 3))
nn.InstanceNorm1d(3)(x(2, 3, 1))
nn.InstanceNorm2d(3)(x(2, 3))
nn.GroupNorm(2, 5)
nn.SyncBatchNorm(3)(x(2, 3))
nn.Dropout(1.5)
F.dropout(x(2), -0.1)
F.dropout1d(x(2))
nn.LSTM(3, 4, proj_size=4)
nn.GRU(3, 4, proj_size=2)
nn.RNN(3, 4, nonlinearity='gelu')
nn.LSTM(3, 4, dropout=2.)
nn.LSTM(3, 4)(x(2, 2, 5))
nn.LSTM(3, 4)(x(5, 2, 3), (x(1, 2, 5), x(1, 2, 4)))
nn.GRU(3, 4)(x(5, 2, 3), x(2, 4))
nn.LSTMCell(3, 4)(x(2, 2, 3))
nn.Embedding(4, 3, padding_idx=4)
nn.Embedding(4, 3)(torch.tensor([4]))
nn.Embedding.from_pretrained(x(3))
nn.EmbeddingBag(4, 3)(ints(4, 5))
nn.EmbeddingBag(4, 3, mode='median')(ints(4, 2, 2))
nn.EmbeddingBag(4, 3)(ints(4, 2, 2), per_sample_weights=x(2, 2))
nn.MultiheadAttention(7, 2)
nn.MultiheadAttention(8, 2)(x(5, 3, 8), x(6, 3, 8), x(7, 3, 8))
nn.MultiheadAttention(8, 2)(x(8), x(8), x(8))
nn.MultiheadAttention(8, 2)(*[x(5, 3, 8)] * 3, attn_mask=causal(4))
nn.MultiheadAttention(8, 2)(*[x(5, 3, 8)] * 3, key_padding_mask=ints(2, 3, 5))
nn.Transformer(8, 2, 1, 1, 16)(x(5, 3, 8), x(5, 2, 8))
nn.Transformer(8, 2, 1, 1, 16)(x(5, 3, 7), x(5, 3, 7))
nn.TransformerEncoderLayer(8, 2, activation='tanh')
nn.FractionalMaxPool2d(2)
nn.FractionalMaxPool2d(2, 3, 0.5)
nn.FractionalMaxPool2d(2, output_ratio=2.)
nn.MaxUnpool2d(2)(*F.max_pool2d(x(1, 1, 4, 4), 2, return_indices=True), [9, 9])
nn.Unflatten('a', (2, 3))
nn.Unflatten(1, 6)
nn.Unflatten(1, (2, 3.))
nn.Hardtanh(2., 1.)
F.glu(torch.tensor(1.))
F.interpolate(x(2, 3, 4))
F.interpolate(x(2, 3, 4), 5, 2.)
F.interpolate(x(2, 3, 4), 5, mode='bilinear')
F.interpolate(x(2, 3, 4), 5, align_corners=True)
F.interpolate(x(2, 3, 4, 5), (2, 3, 4))
F.interpolate(x(2, 3, 4, 5), scale_factor=(2., 3., 4.))
F.interpolate(x(2, 3, 4, 5), 2, recompute_scale_factor=True)
F.interpolate(x(2, 3, 4, 5), 2, antialias=True)
F.grid_sample(x(2, 3, 4, 5), x(2, 3, 3, 2), 'linear')
F.grid_sample(x(2, 3, 4, 5), x(2, 3, 3, 2), padding_mode='wrap')
F.affine_grid(x(2, 2, 3), (2, 3, 4))
F.affine_grid(x(2, 2, 2), (2, 3, 4, 5))
F.affine_grid(ints(3, 2, 2, 3), (2, 3, 4, 5))
F.local_response_norm(x(2, 3), 2)
F.mse_loss(x(2), x(2), reduction='median')
F.binary_cross_entropy(x(2), x(3))
F.binary_cross_entropy_with_logits(x(2), x(3))
F.multi_margin_loss(x(3, 4), ints(4, 3), p=3)
F.margin_ranking_loss(x(2), x(2, 1), x(2))
F.gaussian_nll_loss(x(2, 3), x(2, 3), -x(2, 3).abs())
F.gaussian_nll_loss(x(2, 3), x(2, 3), x(4))
F.poisson_nll_loss(x(2), x(2), reduction='median')
F.triplet_margin_loss(x(2, 3), x(2, 3), x(2, 3), reduction='median')
nn.AdaptiveLogSoftmaxWithLoss(8, 12, [7, 3])
nn.AdaptiveLogSoftmaxWithLoss(8, 12, [3])(x(2, 8), torch.tensor([3, 12]))
nn.init.eye_(x(3))
nn.init.dirac_(x(3, 3))
nn.init.xavier_normal_(x(3))
nn.init.kaiming_normal_(x(3, 3), mode='fan')
nn.init.calculate_gain('gelu')
nn.init.orthogonal_(x(3))
nn.init.sparse_(x(3), 0.5)
nn.Module()(x(2))
nn.Sequential(3)
nn.Sequential(nn.ReLU())[1]
nn.Sequential(nn.ReLU()) + nn.ReLU()
nn.Sequential(nn.ReLU()) * 0
nn.Sequential(nn.ReLU()) * 1.5
nn.Sequential(nn.ReLU()).insert(5, nn.ReLU())
nn.ModuleList([nn.ReLU()])[3]
nn.ModuleDict([('a', nn.ReLU(), 3)])
nn.ModuleDict(3)
nn.ModuleDict({'a.b': nn.ReLU()})
nn.ParameterList(3)
nn.ParameterList([])(x(2))
nn.ParameterDict({})(x(2))
nn.ReLU().register_buffer('training', x(2))
nn.ReLU().register_buffer('', x(2))
nn.ReLU().register_buffer('a.b', x(2))
nn.ReLU().register_buffer(3, x(2))
nn.ReLU().register_buffer('a', 3)
nn.ReLU().register_parameter('a', x(2))
nn.ReLU().register_module('a', x(2))
nn.Linear(2, 2).get_submodule('a.b')
nn.Linear(2, 2).get_parameter('forward')
nn.Linear(2, 2).get_buffer('weight')
nn.Linear(2, 2).missing
nn.Linear(2, 2).to(torch.int64)
nn.Linear(2, 2).train(1)
nn.Linear(2, 2).load_state_dict([1, 2])
nn.Linear(2, 2).get_extra_state()
setattr(nn.Linear(2, 2), 'weight', x(2))
setattr(nn.Sequential(nn.ReLU()), '0', 3)
setattr(nn.BatchNorm1d(2), 'running_mean', 3)
BeforeInit(nn.Parameter(x(2)))
BeforeInit(nn.ReLU())
nn.utils.rnn.pack_padded_sequence(x(5, 3, 2), torch.tensor([2, 5, 3]))
nn.utils.rnn.pad_packed_sequence(packed(x(5, 3, 2)), total_length=2)
nn.utils.rnn.pad_sequence(3)
nn.utils.remove_weight_norm(nn.Linear(2, 2))
nn.utils.vector_to_parameters([1.], nn.Linear(2, 2).parameters())
nn.utils.parametrize.register_parametrization(nn.Linear(2, 2), 'missing', nn.Identity())
nn.factory_kwargs({'bias': 1})
nn.DataParallel(nn.Linear(2, 2), [])(x(3))
"""

BEHAVIOURS = [
    # state dicts
    """
m = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
result = [list(m.state_dict()), dict(m.state_dict()._metadata), m.state_dict(prefix='a.')._metadata.keys()]
""",
    """
m = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
state = m.state_dict()
state['extra'] = state.pop('0.weight')
message = ''
try:
    m.load_state_dict(state)
except RuntimeError as error:
    message = str(error)
result = [message, m.load_state_dict(state, strict=False)]
""",
    """
m = nn.Linear(2, 3)
state = {'weight': torch.zeros(3, 3), 'bias': 3}
try:
    m.load_state_dict(state)
except RuntimeError as error:
    result = str(error)
""",
    """
m = nn.Linear(2, 3)
result = [str(m.load_state_dict({'weight': torch.ones(3, 2), 'bias': torch.ones(3)})), m.weight.detach()]
""",
    """
m = nn.BatchNorm1d(3)
state = OrderedDict((k, v) for k, v in m.state_dict().items() if k != 'num_batches_tracked')
result = m.load_state_dict(state).missing_keys
""",
    """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('kept', torch.ones(2))
        self.register_buffer('dropped', torch.ones(2), persistent=False)
        self.register_buffer('empty', None)
        self.register_parameter('none', None)
        self.p = nn.Parameter(torch.ones(1), requires_grad=False)
    def get_extra_state(self):
        return {'a': 1}
    def set_extra_state(self, state):
        self.loaded = state
m = Net()
state = m.state_dict()
m.load_state_dict(state)
result = [list(state), m.loaded, [n for n, _ in m.named_buffers()], [n for n, _ in m.named_parameters()], sorted(n for n in dir(m) if n in ('kept', 'empty', 'none', 'p', 'forward', 'training', 'w'))]
""",
    """
m = nn.Linear(2, 3)
log = []
m._register_state_dict_hook(lambda module, state, prefix, meta: log.append((prefix, list(state))))
m._register_load_state_dict_pre_hook(lambda state, prefix, *rest: log.append((prefix, sorted(state))))
m._register_load_state_dict_pre_hook(lambda module, *rest: log.append(type(module).__name__), with_module=True)
m.register_load_state_dict_post_hook(lambda module, keys: log.append(list(keys.missing_keys)))
s = nn.Sequential(m)
s.load_state_dict(s.state_dict())
s.load_state_dict({}, strict=False)
result = log
""",
    """
m = nn.LazyLinear(3)
before = [list(m.state_dict()), repr(m.weight), m.has_uninitialized_params(), repr(m), sorted(m._forward_pre_hooks)[:0]]
m.load_state_dict({'weight': torch.ones(3, 4), 'bias': torch.zeros(3)})
result = [before, m.weight.shape, m(torch.ones(2, 4)).detach(), type(m).__name__, repr(m)]
""",
    # hooks
    """
m = nn.ReLU()
log = []
m.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
m.register_forward_pre_hook(lambda module, args: log.append(len(args)))
h = m.register_forward_hook(lambda module, args, out: out * 2)
a = m(torch.tensor([-3., 1.]))
h.remove()
b = m(torch.tensor([-3., 1.]))
with m.register_forward_hook(lambda module, args, out: (out, out)):
    c = m(torch.tensor([1.]))
result = [a, b, c, m(torch.tensor([1.])), log]
""",
    """
from importlib import import_module
module = import_module(nn.Module.__module__)
log = []
h = module.register_module_forward_hook(lambda m, args, out: log.append(type(m).__name__))
g = module.register_module_forward_pre_hook(lambda m, args: log.append('before ' + type(m).__name__))
nn.Sequential(nn.ReLU(), nn.Tanh())(torch.ones(1))
h.remove()
g.remove()
nn.ReLU()(torch.ones(1))
result = log
""",
    # the tree
    """
shared = nn.Linear(2, 2)
m = nn.Sequential(OrderedDict(a=shared, b=nn.Sequential(shared, nn.ReLU())))
m.b.tied = shared.weight
result = [[n for n, _ in m.named_modules()], [n for n, _ in m.named_modules(remove_duplicate=False)],
          [n for n, _ in m.named_parameters()], [n for n, _ in m.named_parameters('p', recurse=False)],
          len(list(m.modules())), [n for n, _ in m.b.named_children()], list(m.state_dict()),
          type(m.get_submodule('b.1')).__name__, m.get_submodule('') is m, m.get_parameter('b.0.bias') is shared.bias,
          sum(p.numel() for p in m.parameters())]
""",
    """
m = nn.Sequential(nn.Linear(2, 2), nn.Dropout())
seen = []
m.apply(lambda module: seen.append(type(module).__name__))
m.eval()
a = [x.training for x in m.modules()]
m[1].train()
m.requires_grad_(False)
result = [seen, a, [x.training for x in m.modules()], [p.requires_grad for p in m.parameters()], m.train() is m]
""",
    """
m = nn.Module()
m.a = nn.Linear(2, 2)
m.a = None
m.b = nn.Parameter(torch.ones(1))
m.b = None
m.register_buffer('c', torch.ones(1))
m.c = torch.zeros(1)
del m.c
m.d = 3
m.d = nn.ReLU()
m.d = nn.Parameter(torch.ones(1))
result = [list(m._modules.items()), list(m._parameters), list(m._buffers), 'd' in m.__dict__, hasattr(m, 'c'), repr(m)]
""",
    # conversions
    """
m = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
w = m[0].weight
m.double()
a = [str(v.dtype) for v in m.state_dict().values()]
m.to(torch.float16)
b = [str(v.dtype) for v in m.state_dict().values()]
m.to(torch.ones(1))
m.bfloat16().half().float().type(torch.float64).cpu()
result = [a, b, m[0].weight is w, str(w.dtype), [str(v.dtype) for v in m.to('cpu', torch.float32).state_dict().values()]]
""",
    """
m = nn.Conv2d(2, 3, 3).to(memory_format=torch.channels_last)
result = [m.weight.stride(), m.weight.is_contiguous(memory_format=torch.channels_last)]
""",
    """
m = nn.utils.skip_init(nn.Linear, 3, 4, bias=False)
result = [m.weight.shape, repr(m), isinstance(m.weight, nn.Parameter), m.weight.requires_grad]
""",
    # copies
    """
import copy
m = nn.Sequential(nn.LSTM(2, 3), nn.Linear(3, 1))
c = copy.deepcopy(m)
with torch.no_grad():
    c[0].weight_ih_l0.fill_(1)
result = [c[0]._flat_weights[0] is c[0].weight_ih_l0, bool((m[0].weight_ih_l0 == 1).all()), type(c[1].weight).__name__,
          list(c.state_dict()) == list(m.state_dict())]
""",
    """
import copy
layer = nn.TransformerEncoderLayer(4, 2, 8, activation=F.gelu)
c = copy.deepcopy(layer)
result = [c.activation is F.gelu, c.activation_relu_or_gelu]
""",
    # containers
    """
s = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
s.append(nn.ELU()).insert(1, nn.GELU())
a = repr(s)
del s[0]
b = [repr(s[1:3]), repr(s[-1]), len(s), [type(m).__name__ for m in s]]
s[0] = nn.SELU()
s += nn.Sequential(nn.Tanh())
s.extend([nn.ReLU6()])
popped = repr(s.pop(1))
result = [a, b, repr(s), popped, repr(s + s[:1]), len(s * 2), len(3 * s), list(dict(s.named_children()))]
""",
    """
m = nn.ModuleList([nn.ReLU(), nn.Tanh()])
m.append(nn.ELU())
m.extend([nn.SELU(), nn.GELU()])
m.insert(1, nn.CELU())
m[-1] = nn.Sigmoid()
del m[0:2]
m += [nn.ReLU()]
result = [repr(m), len(m), repr(m[1:]), type(m[-1]).__name__, [type(x).__name__ for x in m + [nn.Tanh()]],
          repr(m.pop(0)), list(m._modules)]
""",
    """
m = nn.ModuleDict({'b': nn.ReLU(), 'a': nn.Tanh()})
m.update(OrderedDict(c=nn.ELU()))
m['d'] = nn.SELU()
m.update([('e', nn.GELU())])
popped = repr(m.pop('a'))
result = [repr(m), list(m), list(m.keys()), 'c' in m, 'z' in m, popped, len(m), [type(v).__name__ for v in m.values()]]
del m['b']
m.clear()
result.append(len(m))
""",
    """
m = nn.ParameterList([nn.Parameter(torch.ones(2)), torch.zeros(3), 5])
m.append(torch.ones(2, 2, dtype=torch.float64))
m += [nn.Parameter(torch.ones(1))]
m[0] = nn.Parameter(torch.ones(4))
result = [repr(m), len(m), [n for n, _ in m.named_parameters()], list(m.state_dict()), m[2], len(m[1:3]), m[-1].shape]
""",
    """
m = nn.ParameterDict({'b': nn.Parameter(torch.ones(2)), 'a': torch.zeros(3)})
m['c'] = 7
m.update(OrderedDict(z=torch.ones(1), y=torch.ones(1)))
result = [list(m), repr(m), 'a' in m, m.get('missing', 3), m.setdefault('q', torch.ones(1)).shape, m.pop('c'),
          list(m.state_dict()), list(reversed(m)), list((m | {'w': torch.ones(1)}).keys()), m.popitem()[0],
          list(m.fromkeys(['r', 's'])), len(m.copy())]
""",
    # utilities
    """
l = nn.utils.weight_norm(nn.Linear(2, 3), dim=1)
a = [list(l.state_dict()), l.weight_g.shape, type(l.weight).__name__]
nn.utils.remove_weight_norm(l)
result = [a, list(l.state_dict()), len(l._forward_pre_hooks)]
""",
    """
l = nn.utils.spectral_norm(nn.Linear(2, 3))
l(torch.ones(1, 2))
a = [list(l.state_dict()), dict(l.state_dict()._metadata)]
m = nn.utils.spectral_norm(nn.Linear(2, 3))
m.load_state_dict(l.state_dict())
m.eval(), l.eval()
b = torch.allclose(m(torch.ones(1, 2)), l(torch.ones(1, 2)))
nn.utils.remove_spectral_norm(l)
result = [a, b, list(l.state_dict()), len(l._forward_pre_hooks), len(l._state_dict_hooks)]
""",
    """
P = nn.utils.parametrize
l = P.register_parametrization(nn.Linear(3, 3), 'weight', Symmetric())
a = [repr(l), list(l.state_dict()), P.is_parametrized(l), P.is_parametrized(l, 'bias'), type(l).__name__,
     P.type_before_parametrizations(l).__name__, bool((l.weight == l.weight.T).all())]
with P.cached():
    same = l.weight is l.weight
P.remove_parametrizations(l, 'weight')
result = [a, same, list(l.state_dict()), type(l).__name__, bool((l.weight == l.weight.T).all())]
""",
    """
l = nn.Linear(2, 2)
tensors = {'weight': torch.ones(2, 2), 'bias': torch.zeros(2)}
call = nn.utils.stateless.functional_call
a = call(l, tensors, torch.ones(1, 2))
b = nn.BatchNorm1d(2)
state = {'num_batches_tracked': torch.tensor(4)}
call(b, state, (torch.ones(2, 2),))
result = [a, bool((l.weight == 1).any()), isinstance(l.weight, nn.Parameter), state['num_batches_tracked'],
          b.num_batches_tracked]
""",
    """
p = nn.Parameter(torch.ones(3))
p.grad = torch.tensor([3., 4., 0.])
norm = nn.utils.clip_grad_norm_([p], 1.)
a = p.grad.clone()
nn.utils.clip_grad_value_(p, 0.5)
m = nn.Linear(1, 1)
m.weight.grad = torch.ones(1, 1)
m.zero_grad()
b = m.weight.grad.clone()
m.zero_grad(set_to_none=True)
result = [norm, a, p.grad, b, m.weight.grad is None, nn.utils.clip_grad_norm_([nn.Parameter(torch.ones(1))], 1.)]
""",
    """
l = nn.Linear(2, 2)
nn.utils.vector_to_parameters(torch.arange(6.), l.parameters())
result = [l.weight.detach(), l.bias.detach(), nn.utils.parameters_to_vector(l.parameters()).detach()]
""",
    """
utils = nn.modules.utils
state = OrderedDict([('module.a', 1), ('b', 2)])
utils.consume_prefix_in_state_dict_if_present(state, 'module.')
result = [utils._single(3), utils._pair(3), utils._triple((1, 2, 3)), utils._quadruple(1), utils._ntuple(2)([1, 2]),
          utils._reverse_repeat_tuple((1, 2), 2), utils._list_with_default([None, 3], [4, 5, 6]), state]
""",
    """
p = nn.Parameter(torch.ones(2))
result = [repr(p), p.requires_grad, p.is_leaf, isinstance(p, torch.Tensor), type(p + 1).__name__, type(p.data).__name__,
          nn.Parameter().shape, isinstance(torch.ones(1), nn.Parameter)]
""",
    """
packed_ = nn.utils.rnn.pack_sequence([x(3, 2), x(1, 2)])
result = [packed_.double().data, packed_.to(torch.float32) is packed_, packed_.is_cuda, type(packed_.cpu()).__name__,
          packed_._fields, tuple(nn.utils.rnn.PackedSequence(x(2, 2), torch.tensor([1, 1])))]
""",
    """
c = nn.Conv2d(2, 4, (3, 5), padding='same', dilation=(1, 2))
d = nn.Conv2d(2, 4, 3, padding=(1, 2))
result = [c.stride, c.padding, c.dilation, c.groups, c.padding_mode, c._reversed_padding_repeated_twice, c.transposed,
          c.output_padding, c.kernel_size, d._reversed_padding_repeated_twice, c.__constants__, nn.LSTM.__constants__]
""",
    """
l = nn.LSTM(2, 3, 2, bidirectional=True, proj_size=2)
result = [[[p.shape for p in ps] for ps in l.all_weights], l._flat_weights_names, l.mode]
""",
    """
try:
    F.dropout(x(2), 3.)
except ValueError as error:
    result = str(error)
""",
    """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.ReLU()))
        self.w = nn.Parameter(torch.ones(1))
    def extra_repr(self):
        return 'one\\ntwo'
result = repr(Net())
""",
]
