"""Lists of real words of daily life, each of which is a kind of values by its name."""

from __future__ import annotations

_LISTS = {
    "dish": (
        "lasagna,pad thai,mushroom risotto,chicken curry,tomato soup,fish tacos,shakshuka,beef stew,pancakes,ramen,"
        "paella,banana bread,lentil soup,goulash,apple pie,falafel,moussaka,caesar salad,spring rolls,pierogi,"
        "ratatouille,chili con carne,cheesecake,carbonara,onion tart,fried rice,tiramisu,potato gratin,hummus,borscht"
    ),
    "cuisine": (
        "Italian,Thai,Mexican,Indian,Japanese,Greek,Lebanese,Ethiopian,Korean,Vietnamese,Turkish,Spanish,French,"
        "Moroccan,Peruvian,Georgian,vegan,Cantonese,Persian,Polish,Brazilian,Nepalese,Hungarian,seafood"
    ),
    "artist": (
        "Radiohead,Nina Simone,Daft Punk,Adele,Miles Davis,Björk,Fleetwood Mac,Kendrick Lamar,Dolly Parton,Massive "
        "Attack,The Beatles,Stromae,Norah Jones,Metallica,Bob Marley,Rosalía,Ella Fitzgerald,The Cure,Billie Eilish,"
        "Pink Floyd,Aretha Franklin,Coldplay,David Bowie,Tom Waits,Arctic Monkeys,Enya,Leonard Cohen,Portishead"
    ),
    "genre": (
        "jazz,techno,folk,hip hop,classical,reggae,punk,soul,indie rock,country,bossa nova,metal,ambient,blues,disco,"
        "funk,salsa,drum and bass,gospel,house,opera,swing,synth pop,flamenco"
    ),
    "sport": (
        "tennis,badminton,basketball,volleyball,squash,table tennis,rowing,climbing,fencing,judo,rugby,hockey,"
        "handball,karate,golf,archery,water polo,curling,cricket,baseball,gymnastics,skating,surfing,padel"
    ),
    "exercise": (
        "squats,push-ups,deadlifts,lunges,planks,burpees,pull-ups,bench press,sit-ups,rowing,kettlebell swings,"
        "crunches,leg press,bicep curls,box jumps,shoulder press,dips,mountain climbers,calf raises,hip thrusts"
    ),
    "symptom": (
        "headache,sore throat,back pain,cough,fever,knee pain,rash,stomach ache,dizziness,earache,"
        "blocked nose,toothache,neck pain,nausea,itchy eyes,sprained ankle,chest pain,hay fever,migraine"
    ),
    "medicine": (
        "ibuprofen,aspirin,paracetamol,insulin,amoxicillin,vitamin D,metformin,cetirizine,omeprazole,levothyroxine,"
        "ramipril,iron tablets,melatonin,salbutamol,folic acid,atorvastatin,zinc,magnesium,prednisone,eye drops"
    ),
    "doctor": (
        "dentist,dermatologist,cardiologist,pediatrician,optometrist,orthopedist,physiotherapist,psychologist,"
        "gynecologist,neurologist,allergist,urologist,midwife,family doctor,podiatrist,nutritionist,hand surgeon"
    ),
    "crop": (
        "basil,tomatoes,lettuce,strawberries,zucchini,radishes,lavender,sunflowers,roses,peas,kale,pumpkins,mint,"
        "tulips,beans,parsley,chives,spinach,beetroot,raspberries,dahlias,leeks,garlic,rhubarb,thyme,cucumbers"
    ),
    "instrument": (
        "piano,violin,cello,drums,flute,saxophone,trumpet,ukulele,clarinet,harp,accordion,bass guitar,oboe,trombone,"
        "banjo,electric guitar,recorder,viola,double bass,mandolin"
    ),
    "hobby": (
        "pottery,knitting,photography,hiking,calligraphy,woodworking,origami,fly fishing,board games,salsa dancing,"
        "bird watching,chess,sewing,beekeeping,painting,juggling,choir singing,stargazing,cheese making,improv theatre"
    ),
    "appliance": (
        "dishwasher,washing machine,fridge,oven,boiler,dryer,coffee machine,microwave,vacuum cleaner,air conditioner,"
        "kitchen tap,toilet,shower,freezer,doorbell,garage door,water heater,ceiling fan,stove,garbage disposal"
    ),
    "device": (
        "coffee maker,heater,fan,TV,speaker,humidifier,air purifier,sound bar,electric blanket,robot vacuum,kettle,"
        "towel rail,dehumidifier,aquarium pump,heating pad,projector,space heater,radio,oven,printer"
    ),
    "chore": (
        "the dishes,vacuuming,taking out the trash,cleaning the windows,the laundry,ironing,mopping the floor,dusting,"
        "cleaning the bathroom,mowing the lawn,sweeping the stairs,making the beds,setting the table,raking leaves,"
        "emptying the dishwasher,sorting the recycling,defrosting the freezer,changing the sheets"
    ),
    "game": (
        "Chess,Catan,Minecraft,Tetris,Stardew Valley,Carcassonne,Scrabble,Mario Kart,Portal,Azul,Hades,Ticket to Ride,"
        "Celeste,Rocket League,Pandemic,Monopoly,Civilization,Go,Uno,Terraria,Zelda,Backgammon,Doom,Codenames"
    ),
    "subject": (
        "math,chemistry,biology,history,geography,French,physics,English,art,computer science,Latin,music,economics,"
        "ethics,literature,algebra,statistics,Spanish,civics,geometry"
    ),
    "landmark": (
        "the Eiffel Tower,the British Museum,the Colosseum,Central Park,the Prado,Sagrada Familia,the Acropolis,"
        "the Louvre,Charles Bridge,the Alhambra,Tower Bridge,the Uffizi,Pompeii,the Golden Gate Bridge,Stonehenge,"
        "Hagia Sophia,Mont Saint-Michel,the Space Needle,Machu Picchu,Edinburgh Castle,Versailles,Angkor Wat"
    ),
    "hotel": (
        "Hotel Bristol,Grand Plaza,The Old Mill,Sea View Inn,Park Hotel,Hostel One,Villa Rosa,The Lighthouse,"
        "Alpine Lodge,Hotel Central,Casa Verde,Riverside Inn,The Savoy,Palm Resort,Hotel Adler,Lakeside Lodge,"
        "Blue Dolphin,Castle Hotel,Pension Edelweiss,Garden Suites,Station Hotel,Hotel Miramar,The Crown"
    ),
    "restaurant": (
        "Bella Napoli,The Green Fork,Chez Marcel,Golden Dragon,Taverna Nikos,El Toro,The Copper Pot,Saigon Corner,"
        "Osteria Lucia,Blue Lagoon,Spice Route,Le Petit Coin,Noodle Bar,The Smokehouse,Casa Pepe,Mamma Rosa,Sakura,"
        "The Red Lion,Zum Hirschen,Little Istanbul,Harvest Table,Bombay Garden,Oyster Club,Café Central"
    ),
    "team": (
        "Arsenal,Real Madrid,Lakers,Bayern,Yankees,Juventus,Ajax,Celtic,Bulls,Benfica,Boca Juniors,Porto,"
        "Red Sox,Liverpool,Packers,Inter,Sevilla,Celtics,Feyenoord,Oilers,Chelsea,Napoli,Lyon"
    ),
    "garment": (
        "raincoat,wool sweater,evening dress,swimsuit,leather jacket,scarf,suit,cardigan,linen shirt,hoodie,skirt,"
        "bathrobe,down vest,blouse,parka,blazer,poncho,beanie,tracksuit,silk tie,leather belt,straw hat,denim jacket"
    ),
    "present": (
        "puzzle,watch,flowers,cookbook,headphones,board game,scarf,theatre tickets,tea set,telescope,"
        "lego set,camera,perfume,necklace,fountain pen,bike helmet,teddy bear,chess set,picnic basket"
    ),
    "allergen": (
        "peanuts,gluten,shellfish,lactose,pollen,soy,cat hair,penicillin,eggs,sesame,bee stings,dust,walnuts,mustard,"
        "latex,strawberries,celery,fish,mold,lupin"
    ),
    "show": (
        "The Crown,Dark,Twin Peaks,Planet Earth,Fleabag,The Wire,Borgen,Sherlock,Narcos,The Office,Lupin,Succession,"
        "Doctor Who,Lost,Friends,Black Mirror,Chernobyl,Peaky Blinders,Severance,The Bridge,Cosmos,Bluey,Mad Men"
    ),
    "podcast": (
        "This American Life,Radiolab,Serial,The Daily,Hardcore History,99% Invisible,Freakonomics Radio,Science Weekly,"
        "Song Exploder,Code Switch,In Our Time,The Moth,Planet Money,Reply All,Lore,Stuff You Should Know,Invisibilia"
    ),
    "mood": (
        "calm,anxious,cheerful,tired,grumpy,excited,lonely,grateful,stressed,hopeful,bored,proud,nervous,relaxed,sad,"
        "content,angry,restless,overwhelmed,curious"
    ),
    "car": (
        "Toyota Corolla,VW Golf,Tesla Model 3,Fiat Panda,Ford Focus,Skoda Octavia,Volvo V60,Honda Civic,Renault Clio,"
        "Mini Cooper,BMW 320,Opel Corsa,Kia Niro,Dacia Duster,Mazda 3,Audi A4,Seat Ibiza,Subaru Outback,Peugeot 208"
    ),
}  # fmt: skip

DAILY: dict[str, tuple[str, ...]] = {name: tuple(text.split(",")) for name, text in _LISTS.items()}
"""The values of each kind."""
