"""Any server that speaks the chat completions protocol, read tolerantly.

The `openai` package makes the request; its accumulators, retries, environment variables and
headers are not used. It is never given the key: a hook writes the headers, so that no object or
log line of a package can tell it. Errors are raised outside `except` blocks for the same reason:
no exception of a package, with its request in it, hangs on ours.
"""

from __future__ import annotations

import ssl
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx2
import openai

from app.domain.errors import (
    ModelError,
    ModelStreamBroken,
    ModelTimedOut,
    ModelUnauthorised,
    ModelUnreachable,
)
from app.llm.chat_model import ModelCapabilities
from app.llm.message_history import chat_messages, tool_payload
from app.llm.reply_reader import ReplyReader
from app.llm.server_address import server_address
from app.llm.server_fault import FaultReader, ServerFault
from app.llm.stoppable_link import StoppableLink
from app.llm.stream_lines import DONE, UnreadableChunk, values

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from app.llm.chat_model import Message, ModelEvent, ToolChoice, ToolDefinition

CONNECT_TIMEOUT_S = 3.0
"""A dead address must fail while a person still looks (FAULTS L11)."""
FIRST_TOKEN_TIMEOUT_S = 300.0
"""A computer without a graphics card reads a long prompt for minutes."""
BETWEEN_TOKENS_TIMEOUT_S = 60.0
_MOST_RETRIES = 2
_BACKOFF_S = (1.0, 3.0)  # where the server names no time
_LONGEST_WAIT_S = 20.0
"""A server that asks for longer is reported busy, for the person to decide."""
_OPTIONAL = ("stream_options", "parallel_tool_calls", "tool_choice", "temperature")
_KEPT_HEADERS = ("host", "content-length", "content-type", "transfer-encoding")


class OpenAICompatibleModel:
    """A model behind a chat completions endpoint; implements `ChatModel`.

    What a server refused once (an optional parameter, tools, a forced call) is remembered for the
    life of the instance.

    Args:
        provider: the provider's name, as the reader chose it.
        base_url: the server's address, as pasted.
        api_key: sent as a bearer token; "" for none.
        model: the model's name on that server.
        is_on_this_computer: nothing leaves the machine; no proxy is used.
        context_tokens: the model's window in tokens.
        first_token_timeout_s: longest wait in seconds for the first sign of a reply; comments that
            only keep the connection alive are none.
        between_tokens_timeout_s: longest wait in seconds between two pieces of a reply that sends
            such comments; one that falls silent altogether is ended by the longer of the two.
    """

    def __init__(
        self,
        *,
        provider: str,
        base_url: str,
        api_key: str,
        model: str,
        is_on_this_computer: bool = False,
        context_tokens: int = 32_768,
        first_token_timeout_s: float = FIRST_TOKEN_TIMEOUT_S,
        between_tokens_timeout_s: float = BETWEEN_TOKENS_TIMEOUT_S,
    ) -> None:
        self._provider = provider
        self._model = model
        self._address = server_address(base_url)
        self._key = api_key.strip()
        self._first_token_s = first_token_timeout_s
        self._between_tokens_s = between_tokens_timeout_s
        self._faults = FaultReader(self._address.host, model, self._key)
        self._refused: set[str] = set()
        self._begins_in_reasoning = False
        self._link = StoppableLink()
        self._capabilities = ModelCapabilities(
            context_tokens=context_tokens, is_on_this_computer=is_on_this_computer
        )

    def __repr__(self) -> str:
        """Says nothing of the key."""
        return f"OpenAICompatibleModel({self._provider!r}, {self._model!r}, {self._address.host!r})"

    @property
    def provider(self) -> str:
        """The provider's name."""
        return self._provider

    @property
    def model(self) -> str:
        """The model's name on its server."""
        return self._model

    @property
    def capabilities(self) -> ModelCapabilities:
        """What is known of this endpoint by now."""
        return replace(
            self._capabilities,
            calls_tools="tools" not in self._refused,
            honours_forced_call="tool_choice" not in self._refused,
        )

    def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolDefinition] = (),
        tool_choice: ToolChoice = "auto",
    ) -> Iterator[ModelEvent]:
        """Sends the messages and yields events as they come; see `ChatModel.stream`.

        Before anything has come, a passing fault (429, 5xx) is waited out at most twice, and a
        request is sent again without an optional parameter that was refused.
        """
        self._link = link = StoppableLink()
        body: dict[str, Any] = {
            "model": self._model,
            "messages": chat_messages(messages),
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": 0,
        }
        if tools:
            body["tools"] = tool_payload(tools)
            body["tool_choice"] = tool_choice
            body["parallel_tool_calls"] = True
        return self._events(link, body)

    def abort(self) -> None:
        """Ends the stream that was begun last, from any thread; a wait for a retry too."""
        self._link.abort()

    def _events(self, link: StoppableLink, body: dict[str, Any]) -> Iterator[ModelEvent]:
        if not self._address.is_usable:
            raise ModelUnreachable(self._address.host, "this is not a web address")
        if not (self._key.isascii() and self._key.isprintable()) or " " in self._key:
            raise ModelUnauthorised(self._address.host)
        retries = 0
        while not link.is_aborted:
            reply = ReplyReader(
                begins_in_reasoning=self._begins_in_reasoning, has_tools="tools" in body
            )
            sent = {name: value for name, value in body.items() if name not in self._refused}
            fault = yield from self._attempt(link, sent, reply)
            if reply.splitter.closed_unopened:
                self._begins_in_reasoning = True
            if fault is None or link.is_aborted:
                return
            if reply.has_text:
                raise fault.error
            refused = fault.refused_parameter([name for name in _OPTIONAL if name in sent])
            if refused is not None:
                self._refused.add(refused)
                continue
            wait_s = (
                _BACKOFF_S[min(retries, 1)] if fault.retry_after_s is None else fault.retry_after_s
            )
            if not fault.may_pass or retries == _MOST_RETRIES or wait_s > _LONGEST_WAIT_S:
                raise fault.error
            retries += 1
            link.wait(wait_s)

    def _attempt(
        self, link: StoppableLink, body: dict[str, Any], reply: ReplyReader
    ) -> Generator[ModelEvent, None, ServerFault | None]:
        """One request; returns what went wrong, or None."""
        fault: ServerFault | None
        try:
            fault = yield from self._exchange(link, body, reply)
        except openai.APIStatusError as error:
            fault = self._faults.of_response(
                error.status_code, error.response.text, error.response.headers
            )
        except (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, ssl.SSLError) as error:
            # The end of the reply was said; how the connection ended is nothing to us.
            fault = None if reply.is_ended else ServerFault(self._connection_error(error, reply))
        except UnreadableChunk as error:
            reason = self._faults.clean(f"not JSON: {error}")
            fault = ServerFault(ModelStreamBroken(self._address.host, reason))
        finally:
            link.close()
        if fault is None and not link.is_aborted:
            yield from reply.finish()
        return fault

    def _exchange(
        self, link: StoppableLink, body: dict[str, Any], reply: ReplyReader
    ) -> Generator[ModelEvent, None, ServerFault | None]:
        with (
            self._http_client(link) as http_client,
            self._api(http_client).chat.completions.create(
                model=self._model, messages=[], stream=True, extra_body=body
            ) as stream,
        ):
            began = time.monotonic()
            for value in values(stream.response.iter_bytes()):
                if link.is_aborted:
                    return None
                limit_s = self._between_tokens_s if reply.has_text else self._first_token_s
                if value is None and time.monotonic() - began > limit_s:
                    return ServerFault(ModelTimedOut(self._address.host, limit_s))
                if value == DONE:
                    reply.is_ended = True
                    break
                if not isinstance(value, dict):
                    continue
                fault = self._fault_in(value)
                if fault is not None:
                    return fault
                began = time.monotonic()
                yield from reply.read(value)
        if reply.is_usable or link.is_aborted:
            return None
        return ServerFault(ModelStreamBroken(self._address.host, "the reply ended early"))

    def _fault_in(self, chunk: dict[str, Any]) -> ServerFault | None:
        choices = chunk.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else {}
        inner = first.get("error") if isinstance(first, dict) else None
        error = chunk.get("error") or inner
        if error:
            return self._faults.in_stream(error)
        if chunk.get("object") == "error":
            return self._faults.in_stream(chunk)
        if isinstance(first, dict) and first.get("finish_reason") == "error":
            return self._faults.in_stream("the server stopped with an error")
        return None

    def _connection_error(self, error: Exception, reply: ReplyReader) -> ModelError:
        host = self._address.host
        cause = error.__cause__ if isinstance(error, openai.APIConnectionError) else error
        cause = cause or error
        if isinstance(cause, httpx2.ConnectTimeout):
            return ModelUnreachable(host, f"no answer within {CONNECT_TIMEOUT_S:.0f} seconds")
        if isinstance(cause, httpx2.TimeoutException):
            silent_s = max(self._first_token_s, self._between_tokens_s)
            return ModelTimedOut(host, silent_s if reply.has_text else self._first_token_s)
        reason = self._faults.clean(str(cause) or type(cause).__name__)
        if isinstance(
            cause,
            httpx2.ConnectError | httpx2.ProxyError | httpx2.UnsupportedProtocol | ssl.SSLError,
        ):
            return ModelUnreachable(host, reason)
        return ModelStreamBroken(host, reason)

    def _http_client(self, link: StoppableLink) -> httpx2.Client:
        """A client for one request."""
        return httpx2.Client(
            trust_env=not self._capabilities.is_on_this_computer,  # proxies of the environment
            event_hooks={"request": [self._write_headers, link.watch]},
        )

    def _api(self, http_client: httpx2.Client) -> openai.OpenAI:
        silent_s = max(self._first_token_s, self._between_tokens_s)
        return openai.OpenAI(
            api_key="written-by-the-hook",
            base_url=self._address.base_url,
            default_query=dict(self._address.query),
            max_retries=0,
            timeout=httpx2.Timeout(silent_s, connect=CONNECT_TIMEOUT_S),
            http_client=http_client,
        )

    def _write_headers(self, request: httpx2.Request) -> None:
        """Leaves no header of the package or of `OPENAI_…` variables, and adds the key."""
        kept = {name: request.headers[name] for name in _KEPT_HEADERS if name in request.headers}
        request.headers = httpx2.Headers(
            kept
            | {"accept": "text/event-stream", "connection": "close", "user-agent": "Ibid"}
            | ({"authorization": f"Bearer {self._key}"} if self._key else {})
        )
