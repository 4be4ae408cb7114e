"""Distances between vectors."""
from ... import torch

pairwise_distance = torch.pairwise_distance
pdist = torch.pdist
cosine_similarity = torch.cosine_similarity
