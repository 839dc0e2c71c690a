"""Load test of a server with OpenAI's API: requests, their arrival, the checks of answers, statistics and plots."""
