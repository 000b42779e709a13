/// Well-known phrases. Attackers try them as a whole, so their number of words adds no strength.
enum PassphrasePhrases {
  /// log10 of 10,000, the number of phrases that attackers try. The phrases listed here are the
  /// first of them.
  static let cost = 4.0

  /// The phrases by their first letter, in lower case and without the characters between words.
  static let byFirstByte: [[[UInt8]]] = {
    var table = [[[UInt8]]](repeating: [], count: 256)
    for phrase in phrases.split(whereSeparator: \.isNewline) {
      let letters = phrase.utf8.filter { $0 != UInt8(ascii: " ") }
      table[Int(letters[0])].append(letters)
    }
    return table
  }()

  private static let phrases = """
    correct horse battery staple
    to be or not to be
    to be or not to be that is the question
    may the force be with you
    the force is strong with this one
    luke i am your father
    i am your father
    do or do not there is no try
    the quick brown fox
    the quick brown fox jumps over the lazy dog
    the five boxing wizards jump quickly
    lorem ipsum dolor sit amet
    in the beginning was the word
    in the beginning god created the heaven and the earth
    the lord is my shepherd
    our father who art in heaven
    let there be light
    love thy neighbour as thyself
    jesus loves me
    god is love
    god is good
    god bless america
    god save the queen
    god save the king
    in god we trust
    amazing grace how sweet the sound
    winter is coming
    you know nothing jon snow
    valar morghulis
    ill be back
    i will be back
    hasta la vista baby
    i think therefore i am
    cogito ergo sum
    carpe diem
    veni vidi vici
    alea iacta est
    memento mori
    per aspera ad astra
    live and let live
    live and let die
    live laugh love
    never say never
    it was the best of times it was the worst of times
    call me ishmael
    all happy families are alike
    all that glitters is not gold
    all you need is love
    let it be
    hey jude
    here comes the sun
    lucy in the sky with diamonds
    we all live in a yellow submarine
    imagine all the people
    stairway to heaven
    hotel california
    we will rock you
    we are the champions
    bohemian rhapsody
    is this the real life is this just fantasy
    never gonna give you up
    never gonna give you up never gonna let you down
    i will always love you
    dont stop believing
    who you gonna call
    i love you to the moon and back
    to the moon and back
    i love you so much
    i love you forever
    i love my mom
    i love my family
    love you forever
    once upon a time
    happily ever after
    houston we have a problem
    one small step for man
    one small step for man one giant leap for mankind
    i have a dream
    ask not what your country can do for you
    we the people
    we hold these truths to be self evident
    four score and seven years ago
    life liberty and the pursuit of happiness
    give me liberty or give me death
    home sweet home
    there is no place like home
    theres no place like home
    follow the white rabbit
    down the rabbit hole
    there is no spoon
    the cake is a lie
    all your base are belong to us
    resistance is futile
    live long and prosper
    beam me up scotty
    to boldly go where no man has gone before
    elementary my dear watson
    my name is bond
    shaken not stirred
    my name is inigo montoya
    my name is inigo montoya you killed my father prepare to die
    you shall not pass
    not all those who wander are lost
    one ring to rule them all
    one does not simply walk into mordor
    my precious
    expecto patronum
    i solemnly swear that i am up to no good
    avada kedavra
    dont panic
    so long and thanks for all the fish
    open sesame
    abracadabra
    let me in
    let me in please
    please let me in
    this is my password
    this is a password
    this is my secret
    this is a secret
    this is not my password
    my password is password
    my password is
    my secret password
    my voice is my passport
    change me now
    trust no one
    the truth is out there
    i want to believe
    big brother is watching you
    war is peace
    freedom is slavery
    ignorance is strength
    all animals are equal
    to infinity and beyond
    hakuna matata
    let it go
    just keep swimming
    supercalifragilisticexpialidocious
    life is like a box of chocolates
    run forrest run
    heres johnny
    heres looking at you kid
    frankly my dear i dont give a damn
    play it again sam
    show me the money
    you cant handle the truth
    you talking to me
    et phone home
    i see dead people
    say my name
    say hello to my little friend
    keep calm and carry on
    just do it
    think different
    yes we can
    time is money
    knowledge is power
    practice makes perfect
    better late than never
    better safe than sorry
    actions speak louder than words
    the early bird catches the worm
    an apple a day keeps the doctor away
    a penny saved is a penny earned
    where there is a will there is a way
    roses are red violets are blue
    twinkle twinkle little star
    mary had a little lamb
    humpty dumpty sat on a wall
    jingle bells jingle bells
    merry christmas
    merry christmas and a happy new year
    happy new year
    happy birthday to you
    good morning
    good night
    good luck
    hello world
    foo bar baz
    hello kitty
    hello my name is
    youll never walk alone
    you will never walk alone
    purple rain
    smells like teen spirit
    highway to hell
    sweet child of mine
    sweet home alabama
    knocking on heavens door
    like a rolling stone
    the answer my friend is blowing in the wind
    the sound of silence
    hello darkness my old friend
    somewhere over the rainbow
    what a wonderful world
    singing in the rain
    dancing queen
    staying alive
    always look on the bright side of life
    nobody expects the spanish inquisition
    make america great again
    black lives matter
    live free or die
    united we stand
    sein oder nicht sein
    ich liebe dich
    das ist mein passwort
    mein passwort ist
    alle meine entchen
    je taime mon amour
    te quiero mucho
    te amo mucho
    la vie en rose
    liberte egalite fraternite
    am anfang war das wort
    vater unser im himmel
    einigkeit und recht und freiheit
    wer reitet so spaet durch nacht und wind
    alle wege fuehren nach rom
    morgenstund hat gold im mund
    uebung macht den meister
    ich bin ein berliner
    je pense donc je suis
    allons enfants de la patrie
    cest la vie
    notre pere qui es aux cieux
    joyeux anniversaire
    bonne annee
    en un lugar de la mancha
    padre nuestro que estas en el cielo
    viva la vida
    feliz navidad
    la vida es bella
    nel mezzo del cammin di nostra vita
    la dolce vita
    tanti auguri a te
    ti amo tanto
    minha terra tem palmeiras
    pai nosso que estais no ceu
    eu te amo
    errare humanum est
    in vino veritas
    we the people of the united states
    to thine own self be true
    brevity is the soul of wit
    something is rotten in the state of denmark
    romeo romeo wherefore art thou romeo
    a lannister always pays his debts
    hodor hodor hodor
    i am groot
    wakanda forever
    with great power comes great responsibility
    i am iron man
    why so serious
    another brick in the wall
    yellow submarine
    """
}
