CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE registry_type (
    id INTEGER NOT NULL,
    account VARCHAR(12) NOT NULL,
    region VARCHAR(32) NOT NULL,
    kind VARCHAR(8) NOT NULL,
    name VARCHAR(204) NOT NULL,
    status VARCHAR(12) NOT NULL,
    last_number INTEGER NOT NULL,
    default_number INTEGER,
    created FLOAT NOT NULL,
    updated FLOAT NOT NULL,
    publisher_id VARCHAR(40),
    original_name VARCHAR(204),
    auto_update BOOLEAN,
    major INTEGER,
    PRIMARY KEY (id),
    CONSTRAINT registry_type_name UNIQUE (account, region, kind, name)
);
CREATE INDEX registry_type_listing ON registry_type (account, region, status, name, kind);
CREATE INDEX registry_type_public ON registry_type (publisher_id, region, original_name, kind);
CREATE TABLE registry_version (
    type_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    status VARCHAR(12) NOT NULL,
    created FLOAT NOT NULL,
    description TEXT,
    provisioning VARCHAR(20),
    public_version VARCHAR(64),
    source_url TEXT,
    documentation_url TEXT,
    execution_role VARCHAR(256),
    log_role VARCHAR(256),
    log_group VARCHAR(512),
    test_status VARCHAR(12) NOT NULL,
    test_description TEXT,
    package VARCHAR(64),
    schema TEXT,
    CONSTRAINT registry_version_key PRIMARY KEY (type_id, number),
    FOREIGN KEY(type_id) REFERENCES registry_type (id)
);
CREATE INDEX registry_version_package ON registry_version (package);
CREATE TABLE registry_registration (
    token VARCHAR(36) NOT NULL,
    account VARCHAR(12) NOT NULL,
    region VARCHAR(32) NOT NULL,
    type_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    status VARCHAR(12) NOT NULL,
    description TEXT,
    remark TEXT,
    package_url TEXT NOT NULL,
    client_token VARCHAR(128),
    request VARCHAR(64) NOT NULL,
    created FLOAT NOT NULL,
    PRIMARY KEY (token),
    CONSTRAINT registry_registration_client_token UNIQUE (account, region, client_token),
    FOREIGN KEY(type_id) REFERENCES registry_type (id)
);
CREATE INDEX registry_registration_listing ON registry_registration (account, region, status, created, token);
CREATE INDEX registry_registration_type ON registry_registration (type_id, number);
CREATE TABLE registry_configuration (
    account VARCHAR(12) NOT NULL,
    region VARCHAR(32) NOT NULL,
    kind VARCHAR(8) NOT NULL,
    name VARCHAR(204) NOT NULL,
    alias VARCHAR(256) NOT NULL,
    content TEXT NOT NULL,
    updated FLOAT NOT NULL,
    CONSTRAINT registry_configuration_key PRIMARY KEY (account, region, kind, name, alias)
);
CREATE TABLE registry_publisher (
    account VARCHAR(12) NOT NULL,
    id VARCHAR(40) NOT NULL,
    identity VARCHAR(20) NOT NULL,
    connection_arn VARCHAR(256),
    profile TEXT,
    created FLOAT NOT NULL,
    PRIMARY KEY (account),
    CONSTRAINT registry_publisher_id UNIQUE (id)
);
CREATE TABLE registry_public_version (
    id INTEGER NOT NULL,
    publisher_id VARCHAR(40) NOT NULL,
    region VARCHAR(32) NOT NULL,
    kind VARCHAR(8) NOT NULL,
    name VARCHAR(204) NOT NULL,
    version VARCHAR(64) NOT NULL,
    created FLOAT NOT NULL,
    description TEXT,
    provisioning VARCHAR(20),
    source_url TEXT,
    documentation_url TEXT,
    package VARCHAR(64) NOT NULL,
    schema TEXT NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT registry_public_version_key UNIQUE (publisher_id, region, kind, name, version)
);
CREATE INDEX registry_public_version_listing ON registry_public_version (region, name, kind, publisher_id);
CREATE INDEX registry_public_version_package ON registry_public_version (package);
CREATE TABLE registry_test (
    id VARCHAR(36) NOT NULL,
    type_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    status VARCHAR(12) NOT NULL,
    bucket VARCHAR(63),
    created FLOAT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(type_id) REFERENCES registry_type (id)
);
CREATE INDEX registry_test_status ON registry_test (status);
CREATE TABLE registry_progress (
    id INTEGER NOT NULL,
    account VARCHAR(12) NOT NULL,
    region VARCHAR(32) NOT NULL,
    bearer_token VARCHAR(128) NOT NULL,
    status VARCHAR(12) NOT NULL,
    message TEXT,
    error_code VARCHAR(64),
    model TEXT,
    client_token VARCHAR(128),
    created FLOAT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX registry_progress_token ON registry_progress (account, region, bearer_token, id);
CREATE TABLE worker (
    id VARCHAR(64) NOT NULL,
    started FLOAT NOT NULL,
    seen FLOAT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE engine_stack (
    id VARCHAR(36) NOT NULL,
    account VARCHAR(12) NOT NULL,
    region VARCHAR(32) NOT NULL,
    name VARCHAR(128) NOT NULL,
    live BOOLEAN,
    status VARCHAR(64) NOT NULL,
    reason TEXT,
    created FLOAT NOT NULL,
    updated FLOAT,
    deleted FLOAT,
    settings_json TEXT NOT NULL,
    deployed_json TEXT,
    outputs_json TEXT NOT NULL,
    policy TEXT,
    drift_status VARCHAR(16) NOT NULL,
    drift_checked FLOAT,
    operation_id VARCHAR(36),
    PRIMARY KEY (id),
    CONSTRAINT engine_stack_name UNIQUE (account, region, name, live)
);
CREATE INDEX engine_stack_listing ON engine_stack (account, region, created, id);
CREATE TABLE engine_resource (
    stack_id VARCHAR(36) NOT NULL,
    logical_id VARCHAR(255) NOT NULL,
    type VARCHAR(204) NOT NULL,
    physical_id TEXT,
    status VARCHAR(40) NOT NULL,
    reason TEXT,
    updated FLOAT NOT NULL,
    declaration_json TEXT NOT NULL,
    properties_json TEXT NOT NULL,
    model_json TEXT NOT NULL,
    module_json TEXT,
    version VARCHAR(8),
    drift_status VARCHAR(16) NOT NULL,
    drift_checked FLOAT,
    drift_json TEXT,
    CONSTRAINT engine_resource_key PRIMARY KEY (stack_id, logical_id),
    FOREIGN KEY(stack_id) REFERENCES engine_stack (id)
);
CREATE TABLE engine_leftover (
    id VARCHAR(120) NOT NULL,
    stack_id VARCHAR(36) NOT NULL,
    logical_id VARCHAR(255) NOT NULL,
    number INTEGER NOT NULL,
    resource_json TEXT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(stack_id) REFERENCES engine_stack (id)
);
CREATE INDEX engine_leftover_stack ON engine_leftover (stack_id, number);
CREATE TABLE engine_event (
    number INTEGER NOT NULL,
    id VARCHAR(160) NOT NULL,
    stack_id VARCHAR(36) NOT NULL,
    operation_id VARCHAR(36),
    time FLOAT NOT NULL,
    logical_id VARCHAR(255) NOT NULL,
    physical_id TEXT,
    type VARCHAR(204) NOT NULL,
    status VARCHAR(64) NOT NULL,
    reason TEXT,
    more_json TEXT NOT NULL,
    PRIMARY KEY (number),
    CONSTRAINT engine_event_id UNIQUE (id),
    FOREIGN KEY(stack_id) REFERENCES engine_stack (id)
);
CREATE TABLE engine_operation (
    id VARCHAR(36) NOT NULL,
    stack_id VARCHAR(36) NOT NULL,
    kind VARCHAR(24) NOT NULL,
    token VARCHAR(128),
    request VARCHAR(64),
    started FLOAT NOT NULL,
    ended FLOAT,
    target_json TEXT,
    options_json TEXT NOT NULL,
    cancelled BOOLEAN NOT NULL, owner VARCHAR(64),
    PRIMARY KEY (id),
    CONSTRAINT engine_operation_token UNIQUE (stack_id, token),
    FOREIGN KEY(stack_id) REFERENCES engine_stack (id)
);
CREATE INDEX engine_operation_stack ON engine_operation (stack_id, started);
CREATE TABLE engine_step (
    operation_id VARCHAR(36) NOT NULL,
    phase VARCHAR(12) NOT NULL,
    logical_id VARCHAR(255) NOT NULL,
    state VARCHAR(12) NOT NULL,
    reason TEXT,
    progress_json TEXT NOT NULL,
    CONSTRAINT engine_step_key PRIMARY KEY (operation_id, phase, logical_id),
    FOREIGN KEY(operation_id) REFERENCES engine_operation (id)
);
CREATE TABLE engine_change_set (
    id VARCHAR(36) NOT NULL,
    stack_id VARCHAR(36) NOT NULL,
    name VARCHAR(128) NOT NULL,
    status VARCHAR(24) NOT NULL,
    execution_status VARCHAR(24) NOT NULL,
    reason TEXT,
    created FLOAT NOT NULL,
    kind VARCHAR(8) NOT NULL,
    request_json TEXT NOT NULL,
    target_json TEXT,
    changes_json TEXT NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT engine_change_set_name UNIQUE (stack_id, name),
    FOREIGN KEY(stack_id) REFERENCES engine_stack (id)
);
CREATE TABLE engine_drift_detection (
    id VARCHAR(36) NOT NULL,
    stack_id VARCHAR(36) NOT NULL,
    status VARCHAR(24) NOT NULL,
    reason TEXT,
    drift_status VARCHAR(16) NOT NULL,
    drifted INTEGER NOT NULL,
    names_json TEXT,
    started FLOAT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(stack_id) REFERENCES engine_stack (id)
);
CREATE TABLE engine_request (
    token VARCHAR(36) NOT NULL,
    account VARCHAR(12) NOT NULL,
    region VARCHAR(32) NOT NULL,
    type VARCHAR(204) NOT NULL,
    operation VARCHAR(8) NOT NULL,
    status VARCHAR(20) NOT NULL,
    identifier TEXT,
    client_token VARCHAR(128),
    request VARCHAR(64) NOT NULL,
    error_code VARCHAR(64),
    message TEXT,
    updated FLOAT NOT NULL,
    progress_json TEXT NOT NULL,
    PRIMARY KEY (token),
    CONSTRAINT engine_request_client_token UNIQUE (account, region, client_token)
);
CREATE INDEX engine_request_listing ON engine_request (account, region, updated, token);
CREATE TABLE engine_simulated (
    account VARCHAR(12) NOT NULL,
    region VARCHAR(32) NOT NULL,
    type VARCHAR(204) NOT NULL,
    identifier VARCHAR(512) NOT NULL,
    number INTEGER NOT NULL,
    token VARCHAR(128) NOT NULL,
    model_json TEXT NOT NULL,
    CONSTRAINT engine_simulated_key PRIMARY KEY (account, region, type, identifier)
);
CREATE TABLE engine_hook_result (
    number INTEGER NOT NULL,
    id VARCHAR(36) NOT NULL,
    account VARCHAR(12) NOT NULL,
    region VARCHAR(32) NOT NULL,
    target_kind VARCHAR(16) NOT NULL,
    target_id VARCHAR(1600) NOT NULL,
    type_arn VARCHAR(1024) NOT NULL,
    status VARCHAR(32) NOT NULL,
    reason TEXT,
    invoked FLOAT NOT NULL,
    more_json TEXT NOT NULL,
    PRIMARY KEY (number),
    CONSTRAINT engine_hook_result_id UNIQUE (id)
);
CREATE INDEX engine_hook_result_listing ON engine_hook_result (account, region, number);
CREATE INDEX engine_hook_result_type ON engine_hook_result (account, region, type_arn, number);
CREATE INDEX engine_hook_result_target ON engine_hook_result (account, region, target_kind, target_id);
CREATE TABLE engine_signal (
    number INTEGER NOT NULL,
    stack_id VARCHAR(36) NOT NULL,
    logical_id VARCHAR(255) NOT NULL,
    unique_id VARCHAR(255) NOT NULL,
    status VARCHAR(8) NOT NULL,
    time FLOAT NOT NULL,
    reason TEXT,
    data TEXT,
    PRIMARY KEY (number),
    CONSTRAINT engine_signal_key UNIQUE (stack_id, logical_id, unique_id),
    FOREIGN KEY(stack_id) REFERENCES engine_stack (id)
);
CREATE TABLE engine_stack_set (
    id VARCHAR(36) NOT NULL,
    account VARCHAR(12) NOT NULL,
    region VARCHAR(32) NOT NULL,
    name VARCHAR(128) NOT NULL,
    live BOOLEAN,
    created FLOAT NOT NULL,
    deleted FLOAT,
    token VARCHAR(128),
    request VARCHAR(64) NOT NULL,
    definition_json TEXT NOT NULL,
    drift_json TEXT,
    PRIMARY KEY (id),
    CONSTRAINT engine_stack_set_name UNIQUE (account, region, name, live)
);
CREATE INDEX engine_stack_set_listing ON engine_stack_set (account, region, created, id);
CREATE TABLE engine_stack_instance (
    stack_set_id VARCHAR(36) NOT NULL,
    account VARCHAR(12) NOT NULL,
    region VARCHAR(32) NOT NULL,
    instance_json TEXT NOT NULL,
    CONSTRAINT engine_stack_instance_key PRIMARY KEY (stack_set_id, account, region),
    FOREIGN KEY(stack_set_id) REFERENCES engine_stack_set (id)
);
CREATE TABLE engine_stack_set_operation (
    number INTEGER NOT NULL,
    stack_set_id VARCHAR(36) NOT NULL,
    id VARCHAR(128) NOT NULL,
    action VARCHAR(16) NOT NULL,
    status VARCHAR(16) NOT NULL,
    started FLOAT NOT NULL,
    ended FLOAT,
    request VARCHAR(64) NOT NULL,
    more_json TEXT NOT NULL,
    PRIMARY KEY (number),
    CONSTRAINT engine_stack_set_operation_id UNIQUE (stack_set_id, id),
    FOREIGN KEY(stack_set_id) REFERENCES engine_stack_set (id)
);
CREATE TABLE engine_stack_set_result (
    operation INTEGER NOT NULL,
    place INTEGER NOT NULL,
    result_json TEXT NOT NULL,
    CONSTRAINT engine_stack_set_result_key PRIMARY KEY (operation, place),
    FOREIGN KEY(operation) REFERENCES engine_stack_set_operation (number)
);
CREATE UNIQUE INDEX engine_event_time ON engine_event (stack_id, time);
CREATE TABLE durable_key (
    id VARCHAR(16) NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE engine_notice (
    number INTEGER NOT NULL,
    id VARCHAR(36) NOT NULL,
    created FLOAT NOT NULL,
    busy_until FLOAT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (number),
    CONSTRAINT engine_notice_id UNIQUE (id)
);
CREATE TABLE durable_workflow (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    arguments_json TEXT NOT NULL,
    owner VARCHAR(64),
    created FLOAT NOT NULL,
    ended FLOAT,
    result_json TEXT,
    error TEXT,
    PRIMARY KEY (id)
);
CREATE INDEX durable_workflow_unfinished ON durable_workflow (created) WHERE ended IS NULL;
CREATE TABLE durable_step (
    workflow_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    ended FLOAT NOT NULL,
    result_json TEXT,
    error TEXT,
    PRIMARY KEY (workflow_id, position),
    FOREIGN KEY(workflow_id) REFERENCES durable_workflow (id) ON DELETE CASCADE
);
CREATE TABLE engine_resource_scan (
    id VARCHAR(36) NOT NULL,
    account VARCHAR(12) NOT NULL,
    region VARCHAR(32) NOT NULL,
    status VARCHAR(16) NOT NULL,
    started FLOAT NOT NULL,
    token VARCHAR(128),
    scan_json TEXT NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT engine_resource_scan_token UNIQUE (account, region, token)
);
CREATE INDEX engine_resource_scan_listing ON engine_resource_scan (account, region, started, id);
CREATE TABLE engine_scanned_resource (
    scan_id VARCHAR(36) NOT NULL,
    number INTEGER NOT NULL,
    type VARCHAR(204) NOT NULL,
    managed BOOLEAN NOT NULL,
    resource_json TEXT NOT NULL,
    CONSTRAINT engine_scanned_resource_key PRIMARY KEY (scan_id, number),
    FOREIGN KEY(scan_id) REFERENCES engine_resource_scan (id)
);
CREATE TABLE engine_generated_template (
    id VARCHAR(36) NOT NULL,
    account VARCHAR(12) NOT NULL,
    region VARCHAR(32) NOT NULL,
    name VARCHAR(128) NOT NULL,
    status VARCHAR(24) NOT NULL,
    created FLOAT NOT NULL,
    template_json TEXT NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT engine_generated_template_name UNIQUE (account, region, name)
);
CREATE INDEX engine_generated_template_listing ON engine_generated_template (account, region, created, id);
CREATE TABLE engine_stack_alias (
    account VARCHAR(12) NOT NULL,
    region VARCHAR(32) NOT NULL,
    alias VARCHAR(128) NOT NULL,
    stack_id VARCHAR(36) NOT NULL,
    CONSTRAINT engine_stack_alias_key PRIMARY KEY (account, region, alias),
    CONSTRAINT engine_stack_alias_stack UNIQUE (stack_id),
    FOREIGN KEY(stack_id) REFERENCES engine_stack (id)
);
CREATE TABLE engine_stack_refactor (
    id VARCHAR(36) NOT NULL,
    account VARCHAR(12) NOT NULL,
    region VARCHAR(32) NOT NULL,
    created FLOAT NOT NULL,
    status VARCHAR(24) NOT NULL,
    execution_status VARCHAR(24) NOT NULL,
    refactor_json TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX engine_stack_refactor_listing ON engine_stack_refactor (account, region, created, id);
INSERT INTO alembic_version (version_num) VALUES ('0014')
