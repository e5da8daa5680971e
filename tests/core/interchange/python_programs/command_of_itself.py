# {"error": "python/value", "line": 10}
import click


@click.group()
def group():
    pass


group.add_command(group)
group(["group"])
