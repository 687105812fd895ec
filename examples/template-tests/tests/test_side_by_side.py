"""Twenty ideas of moto's and LocalStack's own tests of templates, with the fixture `cloudformation`.

The name above each test is that of the original: docs/explanation/template-tests-side-by-side.md compares them.
"""

import pytest

pytest.importorskip("starlette", reason="needs formwork-cfn[serve]")


def topic(name=None, **more):
    return {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": name} if name else {}, **more}


def sub(text):
    return {"Fn::Sub": text}


# moto: test_cloudformation_depends_on.py, test_create_stack_with_depends_on
def test_depends_on(cloudformation):
    shop = cloudformation.deploy({"Resources": {"B": topic(DependsOn=["A"]), "A": topic()}})
    done = [event.logical_id for event in shop.events if event.status == "CREATE_COMPLETE"]
    assert done.index("A") < done.index("B")


# moto: test_import_value.py, test_simple_instance
def test_import_of_an_export(cloudformation):
    exported = {"Name": {"Value": "news", "Export": {"Name": "topic-name"}}}
    cloudformation.deploy({"Resources": {"A": topic()}, "Outputs": exported}, stack="base")
    shop = cloudformation.deploy({"Resources": {"B": topic({"Fn::ImportValue": "topic-name"})}}, stack="shop")
    assert shop.resources["B"].properties["TopicName"] == "news"


# moto: test_import_value.py, test_simple_instance_missing_export
def test_import_without_an_export(cloudformation):
    cloudformation.expect_refused(match="No export named topic-name found")
    cloudformation.deploy({"Resources": {"B": topic({"Fn::ImportValue": "topic-name"})}})


# moto: test_conditions.py, test_conditional_output_conditional_value
@pytest.mark.parametrize("stage", ["test", "live"])
def test_an_output_with_a_condition(cloudformation, stage):
    template = {
        "Parameters": {"Stage": {"Type": "String"}},
        "Conditions": {"Live": {"Fn::Equals": [{"Ref": "Stage"}, "live"]}},
        "Resources": {"A": topic()},
        "Outputs": {"Out": {"Condition": "Live", "Value": {"Fn::If": ["Live", "yes", "no"]}}},
    }
    shop = cloudformation.deploy(template, parameters={"Stage": stage})
    assert shop.outputs == ({"Out": "yes"} if stage == "live" else {})


# moto: test_cloudformation_nested_stacks.py, test_update_stack_with_params
def test_a_nested_stack_is_updated(cloudformation, tmp_path):
    (tmp_path / "inner.yml").write_text(
        "Parameters: {Name: {Type: String}}\n"
        "Resources: {A: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Ref Name}}}\n"
        "Outputs: {Name: {Value: !Ref Name}}\n"
    )
    inner = {"TemplateURL": str(tmp_path / "inner.yml"), "Parameters": {"Name": {"Ref": "Name"}}}
    outer = {
        "Parameters": {"Name": {"Type": "String", "Default": "one"}},
        "Resources": {"Inner": {"Type": "AWS::CloudFormation::Stack", "Properties": inner}},
        "Outputs": {"Name": {"Value": {"Fn::GetAtt": ["Inner", "Outputs.Name"]}}},
    }
    shop = cloudformation.deploy(outer)
    shop.expect_in_place("Inner")
    shop.update(parameters={"Name": "two"})
    assert shop.outputs == {"Name": "two"}


# moto: test_cloudformation_stack_integration.py, test_create_template_without_required_param
def test_a_parameter_is_missing(cloudformation):
    cloudformation.expect_refused(match=r"Parameters: \[Name\] must have values")
    cloudformation.deploy({"Parameters": {"Name": {"Type": "String"}}, "Resources": {"A": topic()}})


# moto: test_cloudformation_stack_integration.py, test_conditional_if_handling
def test_if_chooses_a_property(cloudformation):
    template = {
        "Parameters": {"Stage": {"Type": "String", "Default": "test"}},
        "Conditions": {"Live": {"Fn::Equals": [{"Ref": "Stage"}, "live"]}},
        "Resources": {"A": topic({"Fn::If": ["Live", "live-news", "test-news"]})},
    }
    shop = cloudformation.deploy(template)
    assert shop.resources["A"].properties["TopicName"] == "test-news"
    shop.expect_replacement("A")
    shop.update(parameters={"Stage": "live"})


# moto: test_cloudformation_stack_integration.py, test_cloudformation_mapping
@pytest.mark.cloudformation(region="eu-west-1")
def test_a_mapping_by_region(cloudformation):
    names = {"us-east-1": {"Name": "here"}, "eu-west-1": {"Name": "there"}}
    name = {"Fn::FindInMap": ["Names", {"Ref": "AWS::Region"}, "Name"]}
    shop = cloudformation.deploy({"Mappings": {"Names": names}, "Resources": {"A": topic(name)}})
    assert shop.resources["A"].properties["TopicName"] == "there"


# moto: test_cloudformation_stack_integration.py, test_delete_stack_with_deletion_policy
def test_a_bucket_is_retained(cloudformation):
    shop = cloudformation.deploy({"Resources": {"Kept": topic("kept", DeletionPolicy="Retain"), "Gone": topic("gone")}})
    kept = shop.resources["Kept"].physical_id
    shop.delete()
    assert cloudformation.types.listed("AWS::SNS::Topic") == {kept}


# moto: test_cloudformation_stack_integration.py, test_ssm_parameter_update_stack_and_remove_resource
def test_a_resource_is_removed(cloudformation):
    shop = cloudformation.deploy({"Resources": {"A": topic("a"), "B": topic("b")}})
    shop.update({"Resources": {"A": topic("a")}})
    assert set(shop.resources) == {"A"}
    assert len(cloudformation.types.listed("AWS::SNS::Topic")) == 1


# LocalStack: api/test_stacks.py, test_stack_update_resources
def test_resources_change(cloudformation):
    shop = cloudformation.deploy({"Resources": {"A": topic("a")}})
    shop.expect_replacement("A")
    shop.update({"Resources": {"A": topic("a2"), "B": topic("b")}})
    cloudformation.snapshot("plan", shop.plan)


# LocalStack: api/test_stacks.py, test_blocked_stack_deletion
def test_a_deletion_fails_and_succeeds_later(cloudformation):
    exported = {"Name": {"Value": "news", "Export": {"Name": "topic-name"}}}
    base = cloudformation.deploy({"Resources": {"A": topic()}, "Outputs": exported}, stack="base")
    shop = cloudformation.deploy({"Resources": {"B": topic({"Fn::ImportValue": "topic-name"})}}, stack="shop")
    base.expect_refused(match="in use by shop")
    base.delete()
    shop.delete()
    base.delete()


# LocalStack: api/test_stacks.py, test_stack_deploy_order
@pytest.mark.parametrize("names", ["ABC", "CBA", "BCA"])
def test_the_order_follows_references(cloudformation, names):
    uses = {"A": None, "B": sub("b-${A.TopicName}"), "C": sub("c-${B.TopicName}")}
    shop = cloudformation.deploy({"Resources": {name: topic(uses[name]) for name in names}})
    done = [event.logical_id for event in shop.events if event.status == "CREATE_COMPLETE"]
    assert done[:3] == ["A", "B", "C"]


# LocalStack: api/test_changesets.py, test_create_change_set_no_changes
def test_a_change_set_without_changes(cloudformation):
    cloudformation.deploy({"Resources": {"A": topic("a")}})  # after which a second change set must be empty


# LocalStack: api/test_changesets.py, test_simple_update_two_resources
def test_two_resources_change(cloudformation):
    template = {
        "Parameters": {"Label": {"Type": "String", "Default": "one"}},
        "Resources": {
            "A": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Ref": "Label"}}},
            "B": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": sub("${Label} of ${A.TopicName}")}},
        },
    }
    shop = cloudformation.deploy(template)
    shop.expect_in_place("A", "B")
    shop.update(parameters={"Label": "two"})


# LocalStack: api/test_update_stack.py, test_update_tags
def test_tags_reach_the_resources(cloudformation):
    shop = cloudformation.deploy({"Resources": {"A": topic("a")}}, tags={"team": "books"})
    shop.expect_in_place("A")
    shop.update(tags={"team": "plays"})
    assert {"Key": "team", "Value": "plays"} in shop.resources["A"].properties["Tags"]


# LocalStack: api/test_update_stack.py, test_diff_after_update
def test_what_an_update_leaves_is_the_template(cloudformation):
    shop = cloudformation.deploy({"Resources": {"A": topic("a")}})
    shop.update({"Resources": {"A": topic("a"), "B": topic("b")}})  # after which the stack must be IN_SYNC
    assert set(shop.template["Resources"]) == {"A", "B"}


# LocalStack: resources/test_sns.py, test_sns_topic_update_name
def test_another_name_is_another_topic(cloudformation):
    shop = cloudformation.deploy({"Resources": {"A": topic("old")}})
    shop.expect_replacement("A")
    shop.update({"Resources": {"A": topic("new")}})
    (arn,) = cloudformation.types.listed("AWS::SNS::Topic")
    assert arn.endswith(":new")


# LocalStack: api/test_drift_detection.py, test_drift_detection_on_lambda
def test_drift_is_found(cloudformation):
    shop = cloudformation.deploy({"Resources": {"A": topic("a")}})
    shop.disappears("A")


# LocalStack: engine/test_conditions.py, test_update_conditions
def test_a_condition_changes(cloudformation):
    template = {
        "Parameters": {"Stage": {"Type": "String", "Default": "test"}},
        "Conditions": {"Live": {"Fn::Equals": [{"Ref": "Stage"}, "live"]}},
        "Resources": {"A": topic("a"), "B": topic("b", Condition="Live")},
    }
    shop = cloudformation.deploy(template)
    shop.update(parameters={"Stage": "live"})
    assert set(shop.resources) == {"A", "B"}
    shop.update(parameters={"Stage": "test"})
    assert set(shop.resources) == {"A"}
