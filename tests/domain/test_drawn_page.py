from app.domain.drawn_page import PageRect


def test_a_rectangle_holds_its_edges():
    rect = PageRect(10, 20, 30, 40)
    assert rect.contains(10, 20)
    assert rect.contains(30, 40)
    assert not rect.contains(9, 30)
    assert not rect.contains(20, 41)
