"""An answer from documents, with the places that it rests on.

Start `portcullis serve`, then run this. A citation names a document of the request and words that occur in it: a model
can write no other. The answer is begun with a citation here, so that there is one.
"""

import argparse

import openai

QUESTION = "When does the train to Lima leave?"
DOCUMENTS = ("The lamp costs 30 euros. It is green.", "The train to Lima leaves at nine. It arrives at noon.")


def main() -> None:
    """Print the answer, and each citation with its place."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    parser.add_argument("--model", default="portcullis")
    arguments = parser.parse_args()

    client = openai.OpenAI(base_url=arguments.base_url, api_key="none")
    reply = client.chat.completions.create(
        model=arguments.model,
        messages=[{"role": "user", "content": QUESTION}],
        temperature=0,
        max_tokens=80,
        extra_body={
            "documents": [{"title": f"note {n}", "text": text} for n, text in enumerate(DOCUMENTS, 1)],
            "citations": {"enabled": True},
            "answer_prefix": "<cite",
        },
    )
    print(reply.choices[0].message.content)
    for annotation in reply.choices[0].message.annotations or ():
        cited = annotation.file_citation
        print(f"{cited['filename']} [{cited['start_index']}:{cited['end_index']}] {cited['quote']!r}")


if __name__ == "__main__":
    main()
