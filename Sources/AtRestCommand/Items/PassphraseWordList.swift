/// The words of which `atrest generate` makes passphrases.
enum PassphraseWordList {
  /// 1,296 common English words of 3 to 8 letters, as many as four dice have results. They were collected by hand.
  static let words = text.split(whereSeparator: \.isWhitespace).map(String.init)

  private static let text = """
    able acid actor adapt admit adult agree ahead album alert alley alpha amber amount amuse anchor angle animal
    ankle annual answer apple april apron arch arena argue arm arrow artist ash aside ask atom attic august aunt
    autumn award axis bacon badge bag baker balance balcony ball bamboo banana band bank banner barley barn barrel
    basin basket bath battery beach beam bean bear beard beat beauty become bed beef beetle before begin behind
    bell belong belt bench berry beside better beyond bicycle bird bishop black blade blanket blast blend bless
    blind block bloom blossom blue board boat body boil bold bolt bone bonus book border borrow bottle bottom
    bounce bowl box brain branch brass brave bread break breeze brick bridge brief bright bring broad bronze broom
    brother brown brush bubble bucket budget build bulb bundle burst bus bush butter button cabin cable cake call
    calm camel camera camp canal candle candy canoe canvas canyon carbon card cargo carpet carrot carry cart
    castle cat catch cattle cave ceiling cellar cement center chain chair chalk chance change chapel chapter charm
    chart cheese cherry chess chest chicken chief child chimney chin choice choose circle circus city claim class
    clay clean clerk clever cliff climb clinic clock cloth cloud clover club coach coal coast coat coconut coffee
    coin collar color column comb comet comic common compass concert cook copper coral corn corner cost cotton
    couch count country couple course cousin cover coyote crab cradle craft crane crater crayon cream credit creek
    crew cricket crisp crop cross crowd crown cruise crystal cube culture cup curious curtain curve custom cycle
    daily dairy daisy dance daring dash daughter dawn deal decade deck deer degree delay deliver delta dentist
    depend depth desert design desk detail device dial diamond diary diesel diet dinner direct dish distant dive
    divide dock doctor dog doll dolphin domain donkey door double dove dragon drama draw dream dress drill drink
    drive drum dry duck dust duty eager eagle early earth easel east easy echo eclipse edge edit eight elbow elder
    elect elegant elephant eleven elite else embark ember emerald emotion empire empty enable energy engine enjoy
    enough enter entire envelope equal essay estate evening event every exact example exit expand expert explain
    extra eye fable fabric face factor fair faith falcon family famous fancy farm fashion father favor feather
    feature fence fern ferry festival fiber fiction field figure film filter final find finger finish fire first
    fish five flag flame flash flavor fleet flight float flock floor flour flower fluid flute fly foam focus fog
    folder follow foot force forest fork formal fortune forum fossil found fountain fox frame freedom freeze fresh
    friend frog front frost fruit fuel funny furnace future gadget galaxy gallery game garage garden garlic gas
    gate gather general gentle giant gift ginger giraffe give glacier glad glass globe glory glove glow glue goat
    gold golf good goose grain grand grape graph grass gravity great green grid grill grocery group grow guard
    guess guest guide guitar gulf habit hair half hammer hand happy harbor hard harvest hat hawk hazel head health
    heart heat heavy hedge height helmet help herb hero hidden high hill hint history hobby hockey hold hollow
    home honey hood hope horizon horn horse hotel hour house hover human humble humor hundred hunt hurry hybrid
    ice icon idea igloo image impact inch index indoor infant ink inner input insect inside iron island ivory
    jacket jaguar jar jazz jeans jelly jewel join joke journey joy judge juice july jump june jungle junior just
    keen keep kettle key kick kind king kitchen kite kitten knee knife knock label ladder lake lamb lamp land
    lantern large laser last late laugh launch lava lawn layer leader leaf learn leather lecture left legal lemon
    length lesson letter level liberty library life lift light lilac limit linen lion liquid list little live
    lizard llama loan lobby local lock logic long loop lotus loud lounge loyal lucky lumber lunar lunch lyrics
    machine magic magnet mail major maple marble march margin marine market mask mason master match maze meadow
    meal measure medal melody melon member memory mentor menu mercy merit message metal method middle midnight
    mild milk mill mimic mind mine mint minute mirror mist mixture mobile model modern moment monkey month moon
    moose morning mosaic mother motion motor mountain mouse move movie muffin museum music mustard mystery myth
    name napkin narrow nature navy near neck needle nest net never news next nickel night nine noble noise noodle
    normal north nose note novel number nurse nut oak oasis oats object ocean october offer office often olive
    omega onion online open opera option orange orbit orchard organ orient other otter outer oval oven owl owner
    oxygen oyster paddle page paint palace palm panda panel paper parade parent park parrot party pasta patch path
    patient patrol pause pave peace peach peanut pear pebble pelican pencil penguin people pepper perfect period
    permit person phone photo phrase piano picnic picture piece pigeon pilot pine pink pioneer pipe pizza place
    planet plant plastic plate play plaza please plenty plot plum pocket poem poet point polar pond pony pool
    popular porch port potato pottery powder power prefer present press pretty price pride print prize process
    produce profit program proof proud public pulse pumpkin pupil puppy purple purse puzzle pyramid quality
    quarter queen quest quick quiet quilt quiz rabbit race radar radio rail rain raise ramp ranch random range
    rapid raven razor ready reason recipe record red reef region relax remain remote rent repair reply rescue rest
    result return reveal rhythm ribbon rice rich ride ridge ring ripple rise ritual rival river road robin robot
    rocket romance roof room root rope rose rotate round route royal rubber ruby rug ruler runway rural saddle
    safari sail salad salmon salt salute sample sand satin sauce sausage scale scarf scene school science scout
    screen script sea season seat second secret seed segment select senior sense series seven shade shadow shallow
    shape share sheep shelf shell shield shine ship shirt shoe shore short shoulder shovel show shrimp shy side
    sight signal silent silk silver simple since singer sister sixty size skate sketch ski skill skin skirt sky
    sleep slice slide slim slow small smart smile smoke smooth snack snail snake snow soap soccer social sock soda
    sofa soft soil solar solid song sound soup south space spare spark speak special speed spell spend sphere
    spice spider spin spiral spirit splash sponge spoon sport spot spray spring square squirrel stable staff stage
    stairs stamp stand star state station statue stay steam steel stem step stick still stone stool storm story
    stove straw stream street string strong student studio style subject sudden sugar suit summer summit sun
    sunset supper supply surface surprise swallow swan sweet swift swim swing symbol system table tackle talent
    talk tango tank tape target task taste taxi teach team temple ten tennis tent term test text theater theme
    theory thick thing thirty thread three throne thumb thunder ticket tide tiger timber time tiny title toast
    today together token tomato tone tongue tool tooth topic torch total touch tower town toy track trade traffic
    trail train travel tray treasure tree trend trial tribe trick trip trophy truck true trumpet trust truth tube
    tulip tunnel turkey turn turtle twelve twenty twin two type umbrella uncle under uniform unique unit update
    upper urban useful usual valley value vanilla vapor vast vault vehicle velvet venture verb verse vessel
    victory video view village vintage violin virtue visit visual vital vivid voice volume vote voyage wagon waist
    walk wall walnut want warm wash watch water wave wealth weather web wedding week welcome west whale wheat
    wheel whisper white wide width wild willow wind window wing winner winter wire wisdom wolf wonder wood wool
    word work world worth wrap wrist write yacht yard year yellow young zebra zero zone
    """
}
