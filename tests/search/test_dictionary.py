"""The dictionary: literals become pieces that fit the domain of a span."""

from pessimal.inputs import Domain
from pessimal.search.dictionary import Dictionary


def test_texts_are_pieces_of_text_and_so_are_their_characters_and_code_points():
    pieces = Dictionary(["ab", 99, 1.5]).pieces(Domain.of("char"))
    assert pieces == [[97, 98], [97], [98], [99]]


def test_pieces_outside_the_domain_are_left_out():
    assert Dictionary(["ab", "b\xff\u0660"]).pieces(Domain.of("byte")) == [[97, 98], [97], [98], [255]]
    assert Dictionary([5, 40]).pieces(Domain.of("int", low=0, high=39)) == [[5], [6], [4], [39]]


def test_numbers_come_with_their_neighbours_and_texts_with_their_length():
    assert Dictionary([7, "abc"]).pieces(Domain.of("int")) == [[7], [8], [6], [3]]
    assert Dictionary([7]).pieces(Domain.of("float", low=0.0, high=7.5)) == [[7.0], [6.0]]
    assert Dictionary([10**400]).pieces(Domain.of("float")) == []
