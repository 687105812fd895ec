"""The files that `cfn init` writes once in a Java project: the build, the handlers, their tests, settings."""

from collections.abc import Mapping

from msgspec import Struct

from formwork.extensions import ExtensionKind, hyphenated_name, package_name
from formwork.generate.handlers import Handlers
from formwork.generate.plan import PlannedFile, seed
from formwork.generate.templates import render_template
from formwork.languages.java.generate.naming import namespace_of
from formwork.languages.java.generate.promises import promise_lines
from formwork.languages.java.generate.runtime import Runtime
from formwork.languages.java.generate.templates import TEMPLATES
from formwork.languages.java.generate.wrappers import configuration_words, handler_class, handler_names

GUIDED = "guided_aws"
_MAIN, _TEST = "src/main/java", "src/test/java"
_SAMPLE = ("CreateHandler", "ReadHandler", "UpdateHandler", "DeleteHandler", "ListHandler", "Entries", "Store")
_HOOK_SAMPLE = ("PreCreateHookHandler", "PreUpdateHookHandler", "PreDeleteHookHandler", "Buckets")
# Without this mark, coverage gates count Lombok's methods. The mark for SpotBugs needs an annotation that is not among
# the dependencies of older runtimes of AWS, so that their projects would not compile.
_LOMBOK = "lombok.addLombokGeneratedAnnotation = true\n"


def plan_java_scaffold(handlers: Handlers, release: str) -> dict[str, PlannedFile]:
    """Return the author's own files of a new project that is compiled for Java `release`."""
    scaffold = _Scaffold(handlers, ".".join(namespace_of(handlers.type_name, handlers.settings)))
    hook = handlers.types.kind is ExtensionKind.HOOK
    texts = {
        ".gitignore": scaffold.render("gitignore"),
        "lombok.config": _LOMBOK,
        "pom.xml": scaffold.render(
            "pom.xml", release=release, target_resources=scaffold.render("target_resources").rstrip() if hook else ""
        ),
        "src/main/resources/log4j2.xml": scaffold.render("log4j2.xml"),
        **scaffold.sources(),
    }
    return {path: seed(text) for path, text in texts.items()}


class _Scaffold(Struct, frozen=True):
    handlers: Handlers
    package: str

    def render(self, name: str, **words: str) -> str:
        """Return a template of this language, filled in with the project's values and `words`."""
        type_name = self.handlers.type_name
        known = {
            "package": self.package,
            "type_name": type_name,
            "hyphenated": hyphenated_name(type_name),
            "variable": f"{package_name(type_name).upper()}_FOLDER",
            **configuration_words(self.handlers.types, Runtime(self.handlers.settings)),
        }
        return render_template(TEMPLATES / f"{name}.txt", {**known, **words})

    def sources(self) -> dict[str, str]:
        """Return the sources, by path."""
        main, test = self._shared(), dict[str, str]()
        if self.handlers.sample:
            hook = self.handlers.types.kind is ExtensionKind.HOOK
            main |= {each: self.render(f"sample_{each}.java") for each in (_HOOK_SAMPLE if hook else _SAMPLE)}
            tests = "HookHandlersTest" if hook else "HandlersTest"
            test[tests] = self.render(f"sample_{tests}.java")
        elif self._is_guided():
            found_main, found_test = self._guided()
            main, test = main | self._hook_helpers() | found_main, found_test | self._hook_test_base()
        else:
            main, test = main | self._hook_helpers(), self._hook_test_base()
            for each in handler_names(self.handlers.types):
                name = handler_class(self.handlers.types, each)
                main[name] = self._stub(name, each)
                test[f"{name}Test"] = self._stub_test(name)
        return {
            **{self._path(_MAIN, name): text for name, text in main.items()},
            **{self._path(_TEST, name): text for name, text in test.items()},
        }

    def _hook_helpers(self) -> dict[str, str]:
        """Return the classes that the author of a hook fills in, according to AWS's guide."""
        if self.handlers.types.kind is not ExtensionKind.HOOK:
            return {}
        return {
            "ClientBuilder": self.render("guided_ClientBuilder.java"),
            "Translator": self.render("hook_Translator.java"),
        }

    def _hook_test_base(self) -> dict[str, str]:
        """Return the base class of tests that AWS's guide mentions for hooks."""
        if self.handlers.types.kind is not ExtensionKind.HOOK:
            return {}
        return {"AbstractTestBase": self.render("hook_AbstractTestBase.java")}

    def _is_guided(self) -> bool:
        """Whether the guided style applies; a hook's targets need schemas for that."""
        wanted = self.handlers.settings.get("codegen_template_path") == GUIDED
        return wanted and (self.handlers.types.kind is ExtensionKind.RESOURCE or bool(self.handlers.targets))

    def _guided(self) -> tuple[dict[str, str], dict[str, str]]:
        if self.handlers.types.kind is ExtensionKind.HOOK:
            from formwork.languages.java.generate.guided_hooks import guided_hook_sources  # noqa: PLC0415 - one style of several

            return guided_hook_sources(self.handlers.types, self.handlers.targets, self.package, self.render)
        from formwork.languages.java.generate.guided import guided_sources  # noqa: PLC0415 - one style of several

        return guided_sources(self.handlers.types, self.render)

    def _path(self, root: str, name: str) -> str:
        return "/".join((root, *self.package.split("."), f"{name}.java"))

    def _shared(self) -> dict[str, str]:
        fields = "    private String waitingFor;\n" if self.handlers.sample else ""
        hook = self.handlers.types.kind is ExtensionKind.HOOK
        tagged = not hook and self.handlers.sample
        configuration = (
            self.render("ConfigurationTags.java")
            if tagged
            else self.render("Configuration.java", base="BaseHookConfiguration" if hook else "BaseConfiguration")
        )
        return {
            "CallbackContext": self.render("CallbackContext.java", fields=fields),
            "Configuration": configuration,
        }

    def _stub(self, class_name: str, handler: str) -> str:
        hook = self.handlers.types.kind is ExtensionKind.HOOK
        return self.render(
            "StubHookHandler.java" if hook else "StubHandler.java",
            class_name=class_name,
            handler=handler,
            promises=promise_lines(handler),
        )

    def _stub_test(self, class_name: str) -> str:
        words: Mapping[str, str]
        if self.handlers.types.kind is ExtensionKind.HOOK:
            words = {
                "request": "new HookHandlerRequest()",
                "request_import": "import software.amazon.cloudformation.proxy.hook.HookHandlerRequest;\n",
                "configuration_argument": ", null",
            }
        else:
            configured = configuration_words(self.handlers.types, Runtime(self.handlers.settings))[
                "configuration_argument"
            ]
            words = {
                "request": "new ResourceHandlerRequest<>()",
                "request_import": "import software.amazon.cloudformation.proxy.ResourceHandlerRequest;\n",
                "configuration_argument": ", null" if configured else "",
            }
        return self.render("StubTest.java", class_name=class_name, **words)
