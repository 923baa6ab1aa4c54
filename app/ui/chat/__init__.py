"""Questions, answers, footnotes and source cards."""
