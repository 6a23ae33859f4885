# Plenary: `make demo` shows it, `make test` tests it, `make serve` runs it as in production.
# PORT= chooses the port (8000), PYTHON= the Python that makes .venv (python3).

PYTHON ?= python3
PORT ?= 8000
HOST ?= 127.0.0.1
WORKERS ?= 2
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# What `check --deploy` and `makemigrations --check` see: a production of the plainest kind.
PRODUCTION := DEBUG=false ALLOWED_HOSTS=plenary.example HTTPS=true \
	SECRET_KEY=only-for-the-checks-of-make-test-and-long-enough-to-pass-them-all-0123456789

.PHONY: demo test serve setup-demo setup-test

demo: setup-demo
	@$(BIN)/python manage.py demo --port "$(PORT)"

serve: setup-demo
	@$(BIN)/python manage.py check --deploy --fail-level WARNING
	@$(BIN)/python manage.py migrate --check >/dev/null || { echo "The database is not up to date: run $(BIN)/python manage.py migrate" >&2; exit 1; }
	@$(BIN)/python manage.py collectstatic --noinput --verbosity 0
	@exec $(BIN)/gunicorn conference.wsgi --bind "$(HOST):$(PORT)" --workers "$(WORKERS)" --threads 2 --no-control-socket

test: setup-test
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/lint-imports
	$(PRODUCTION) $(BIN)/python manage.py makemigrations --check --dry-run
	$(PRODUCTION) $(BIN)/python manage.py check --deploy --fail-level WARNING
	$(BIN)/python -m pytest --numprocesses 2 --dist loadgroup

setup-demo: .venv/demo.stamp
	@$(BIN)/python -c "import django" 2>/dev/null || { echo "The folder .venv is broken: remove it (rm -r .venv) and run make again." >&2; exit 1; }

setup-test: .venv/test.stamp
	@$(BIN)/python -c "import django, pytest" 2>/dev/null || { echo "The folder .venv is broken: remove it (rm -r .venv) and run make again." >&2; exit 1; }

.venv/python.stamp:
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here. Name a Python from 3.11 on: make PYTHON=python3.12 demo" >&2; exit 1; }
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null || { echo "Plenary needs Python 3.11 or newer; $(PYTHON) is not. Name one: make PYTHON=python3.12 demo" >&2; exit 1; }
	@$(PYTHON) -m venv .venv || { echo "$(PYTHON) could not make the folder .venv; on Debian install python3-venv." >&2; exit 1; }
	@touch $@

# pyproject.toml says what is needed, constraints.txt in which version.
.venv/%.stamp: pyproject.toml constraints.txt .venv/python.stamp
	@$(BIN)/python -c "import tomllib; project = tomllib.load(open('pyproject.toml', 'rb'))['project']; print(*project['dependencies'], *project['optional-dependencies'].get('$*', []), sep='\n')" > .venv/$*.txt \
		|| { echo "The folder .venv is broken: remove it (rm -r .venv) and run make again." >&2; exit 1; }
	@echo "Installing what pyproject.toml asks for …"
	@$(PIP) install --requirement .venv/$*.txt --constraint constraints.txt
	@# Not installed: only the schema of schedule.xml that lies in this wheel is wanted.
	@$(if $(filter test,$*),$(PIP) download --no-deps --dest .venv/wheels --constraint constraints.txt wafer)
	@touch $@
