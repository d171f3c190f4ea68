"""A verdict as text, JSON or Markdown; test results as text, JSON or JUnit XML."""
