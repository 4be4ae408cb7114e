"""Distances between vectors."""
from ..._package import torch

pairwise_distance = torch.pairwise_distance
pdist = torch.pdist
cosine_similarity = torch.cosine_similarity
