"""The old name of torch.hub's downloads."""
from ..hub import load_state_dict_from_url as load_url


def tqdm(iterable=None, *args, **kwargs):
    """No progress bar."""
    return iterable
