"""Common knowledge: kinds of things, colors, animals, and true sentences, with numbers compared and added."""

from __future__ import annotations

from embedded_model.data.texts.labelset import label_set, only, renamed

_COLORS = label_set(
    "color answer",
    """
        red: the color of [blood|a ripe tomato|a fire engine|a stop sign|a strawberry|a cherry|a rose]
        red: what color is [blood|a fire truck|a tomato|a cherry]?
        green: the color of [spinach|leaves|a frog|a cucumber|grass|peas|a lime] / pick the color of leaves
        green: what color is [grass|spinach|a frog|a pea]?
        blue: the color of [the sky|the sea|the ocean|a sapphire|jeans]
        blue: what color is [the sky on a clear day|the ocean|the sea]?
        yellow: the color of [a lemon|the sun|a banana|butter|a chick|corn]
        yellow: what color is [a lemon|a banana|the sun|butter]?
        white: the color of [snow|milk|salt|a swan|chalk] / what color is [snow|milk|salt|rice]?
        black: the color of [coal|the night|a raven|tar|ink] / what color is [coal|a raven|the night]?
        orange: the color of [a carrot|a pumpkin|an orange] / what color is [a carrot|a pumpkin]?
        brown: the color of [chocolate|wood|earth|coffee|a bear] / what color is [chocolate|soil|coffee]?
        """,
)
_TRUTH = label_set(
    "answer verdict",
    """
        true: [rain|the rain|the sea] is wet / [fire|the sun|an oven|lava] is hot
        true: [a dog|a cat|a horse|a cow] is an animal / [ice|snow] is cold / a year has [12|twelve] months
        true: <a> plus <b> is <sum> / <a> + <b> = <sum> / the sum of <a> and <b> is <sum> / <sum> is <a> plus <b>
        true: <a> and <b> make <sum>
        true: <more> is [greater|more|bigger|larger] than <less> / <less> is [less|smaller] than <more>
        true: <more> > <less> / <less> < <more>
        true: the sun is a star / [snow|milk] is white / [fish|whales|sharks] live in water
        true: [birds|bees|planes] can fly / grass is green / a week has seven days
        true: [an elephant|a whale] is [bigger|heavier] than [a mouse|an ant]
        true: [a car|a plane] is faster than [a snail|a turtle] / cats [drink milk|catch mice]
        true: [Paris|Rome|London] is a city / [a rose|an oak] is a plant / a day has 24 hours / [honey|sugar] is sweet
        true: lemons are sour / humans need [water|air]
        false: [rain|water|the sea] is dry / [fire|the sun|an oven|lava] is cold
        false: [a stone|a chair|a spoon] is an animal / [ice|snow] is hot / a year has [5|20] months
        false: <a> plus <b> is <wrong> / <a> + <b> = <wrong> / the sum of <a> and <b> is <wrong>
        false: <wrong> is <a> plus <b> / <a> and <b> make <wrong>
        false: <less> is [greater|more|bigger|larger] than <more> / <more> is [less|smaller] than <less>
        false: <less> > <more> / <more> < <less>
        false: the moon is a [cheese|star|dog] / [snow|milk] is black / [cows|lions|birds] live in the sea
        false: [cows|stones|pigs] can fly / grass is [blue|pink] / a week has [ten|three] days
        false: [a mouse|an ant] is [bigger|heavier] than [an elephant|a whale]
        false: [a snail|a turtle] is faster than [a car|a plane] / cats [lay eggs|can read]
        false: [a dog|bread] is a city / [a car|a spoon] is a plant / a day has [50|3] hours / [honey|sugar] is sour
        false: lemons are [blue|sweet] / humans can [breathe under water|fly]
        """,
)
_REPLY = label_set(
    "answer verdict",
    """
        yes: is [fire|the sun|an oven|boiling water|a flame] hot? / is [ice|snow|a fridge|winter] cold?
        yes: does a week have seven days? / does a year have [12|twelve] months?
        yes: is <more> [greater|more|bigger|larger] than <less>? / is <less> [less|smaller|lower] than <more>?
        yes: is <more> above <less>? / is <less> below <more>?
        yes: is <a> plus <b> equal to <sum>? / does <a> plus <b> make <sum>? / is <a> + <b> = <sum>?
        yes: is <sum> the sum of <a> and <b>?
        yes: is [a dog|a cat|a horse|a cow|a fish] an animal? / is the sun bright?
        yes: is [Paris|London|Rome|Berlin] a city? / can [birds|planes|bees] fly? / can [fish|ducks] swim?
        yes: is [water|rain|the sea] wet? / is [snow|milk] white? / is [a rose|an oak] a plant?
        yes: is [a hammer|a saw] a tool? / do [cats|dogs|cows] have [four legs|a tail]?
        yes: is [an elephant|a whale|a house] [bigger|larger|heavier] than [a mouse|an ant|a cat]?
        yes: is [a car|a train|a plane] faster than [a snail|a turtle]?
        no: is [fire|the sun|an oven|boiling water|a flame] cold? / is [ice|snow|a fridge] hot?
        no: does a week have [nine|five|ten] days? / does a year have [5|20] months?
        no: is <less> [greater|more|bigger|larger] than <more>? / is <more> [less|smaller|lower] than <less>?
        no: is <less> above <more>? / is <more> below <less>?
        no: is <a> plus <b> equal to <wrong>? / does <a> plus <b> make <wrong>? / is <a> + <b> = <wrong>?
        no: is <wrong> the sum of <a> and <b>?
        no: is [a stone|a chair|a car|a house] an animal? / is the moon a [car|cheese|dog]?
        no: is [a dog|bread|a shoe] a city? / can [cows|stones|dogs|houses] fly? / can fish [drive|read|sing]?
        no: is [the desert|sand|a stone] wet? / is [snow|milk] black? / is a stone alive? / is [a dog|a car] a plant?
        no: is [a cat|an apple] a tool? / do [fish|snakes] have [legs|wings]?
        no: is [a mouse|an ant|a cat] [bigger|larger|heavier] than [an elephant|a whale|a house]?
        no: is [a snail|a turtle] faster than [a car|a train|a plane]?
        """,
)

_COMPARED = label_set(
    "answer verdict result",
    """
    yes: is <more> greater than <less>? / is <more> more than <less>? / is <less> less than <more>? / <more> > <less>?
    yes: is the number <less> smaller than <more>? / <more> is bigger than <less>, right?
    yes: do <more> eggs outnumber <less>?
    yes: is <less> below <more>? / are <more> apples more than <less> apples?
    yes: <name> is <more>, I am <less>: is <name> older?
    no: is <less> greater than <more>? / is <less> more than <more>? / is <more> less than <less>? / <less> > <more>?
    no: is the number <more> smaller than <less>? / <less> is bigger than <more>, right?
    no: do <less> eggs outnumber <more>?
    no: is <more> below <less>? / are <less> apples more than <more> apples?
    no: <name> is <less>, I am <more>: is <name> older?
    """,
)

KNOWLEDGE_SETS = (
    _COMPARED,
    renamed(_COMPARED, "true false"),
    label_set(
        "kind category type",
        """
        fruit: [banana|pear|plum|cherry|grapes|lemon|orange|strawberry|mango]
        fruit: [peach|kiwi|melon|apricot|fig|pineapple|raspberry|lime|a red apple]
        fruit: a [ripe|sweet|juicy|fresh] [banana|pear|plum|cherry|peach|mango|melon]
        fruit: [two|three] [pears|plums|lemons|oranges|apples]
        vegetable: [carrot|potato|onion|spinach|cabbage|cucumber|broccoli|leek]
        vegetable: [garlic|pumpkin|celery|radish|turnip|lettuce|cauliflower|beetroot]
        vegetable: [a raw|a boiled|fresh|chopped] [carrot|potato|onion|cabbage|cucumber|leek]
        vegetable: [two|three] [carrots|onions|leeks|potatoes]
        """,
    ),
    label_set(
        "kind category type",
        """
        animal: [a|the] [dog|cat|horse|cow|lion|eagle|shark|frog|bee|mouse|sheep|whale]
        animal: [goat|tiger|snake|owl|duck|wolf|rabbit]
        plant: [an oak|a rose|a tulip|a fern|grass|a cactus|a pine tree|moss|an apple tree]
        plant: [sunflower|birch|ivy|bamboo|palm tree]
        vehicle: [a|the] [car|bus|train|truck|bicycle|ship|plane|tram|tractor|van|scooter]
        vehicle: [taxi|motorbike|helicopter|ferry]
        tool: [a|the] [hammer|saw|drill|wrench|screwdriver|shovel|axe|rake] / [pliers|chisel|ladder|file]
        """,
    ),
    label_set(
        "animal kind",
        """
        cat: it [purrs|says meow|meows|catches mice|sleeps all day|climbs the curtains|drinks milk and purrs]
        cat: it hates dogs and loves fish / a kitten
        dog: it [barks|guards the house|fetches the stick|wags its tail|chases cats|buries bones]
        dog: it barks at the [postman|neighbour|mailman] / a puppy
        bird: it [flies and has feathers|sings in the tree|lays eggs in a nest|has wings]
        bird: it [has a beak|builds a nest|tweets]
        bird: a [sparrow|robin|pigeon]
        """,
    ),
    label_set(
        "animal kind answer",
        """
        cat: it [purrs|says meow|meows|catches mice|sleeps all day|climbs the curtains|drinks milk and purrs]
        cat: it hates dogs and loves fish / a kitten
        dog: it [barks|guards the house|fetches the stick|wags its tail|chases cats|buries bones]
        dog: it barks at the [postman|neighbour|mailman] / a puppy
        bird: it [flies and has feathers|sings in the tree|lays eggs in a nest|has wings]
        bird: it [has a beak|builds a nest|tweets]
        bird: a [sparrow|robin|pigeon]
        cow: it [gives milk|says moo|eats grass and gives milk|moos|has horns and an udder] / we get milk from it
        cow: a calf
        fish: it [swims|lives in water|has fins|breathes with gills|has scales and swims] / a [trout|salmon|carp]
        fish: you catch it with a rod
        horse: it [neighs|gallops|pulls the cart|carries a rider] / you ride it with a saddle / a foal / a pony
        bee: it [makes honey|buzzes|stings|collects nectar] / it flies from flower to flower and lives in a hive
        sheep: it [gives wool|bleats|says baa] / a lamb / we make pullovers from its wool
        """,
    ),
    only(_COLORS, "red green blue yellow"),
    _COLORS,
    label_set(
        "comparison answer",
        """
        greater: <more> compared with <less> / <more> and then <less>: the first is / <more> is ... than <less>
        less: <less> compared with <more> / <less> and then <more>: the first is / <less> is ... than <more>
        """,
    ),
    _TRUTH,
    _REPLY,
    renamed(_TRUTH, "correct wrong"),
    renamed(_TRUTH, "True False"),
    renamed(_REPLY, "Yes No"),
)
