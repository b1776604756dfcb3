"""What sounds or looks like a secret and is none: nothing of it is masked."""

_ENGLISH = """
my password is too long to remember
milk, eggs, bread, butter, cheese, ham, rice, salt, sugar, flour, coffee, tea
anna, bob, carl, dora, emil, fred, gina, hank, ivan, jane, kurt, lena
lol lol lol lol lol lol lol lol lol lol lol lol
word word word word word word word word word word word word word word word
red green blue black white pink brown gray cyan teal gold silver lime
what's the password policy?
what is your password?
how do I reset my password
I keep forgetting my password lol
the password must have at least 8 characters
password must be 12+ characters
passwords are stored as bcrypt hashes
your password will expire in 3 days
password expired, change it
my password is the same everywhere, I know, I know
the password is case sensitive
is the password still valid?
password: required
password: <your password here>
password: ********
password: ••••••••
password=$DB_PASSWORD
password: ${{ secrets.DB_PASSWORD }}
PASSWORD=<redacted>
"password": "string"
password: null
password: str
def login(user, password): pass
if password is None: return
SELECT password FROM users WHERE id = 5
the password field is empty
password reset link sent
the password reset takes 5 minutes
password protected zip
I don't know the password, ask bob
ask bob for the password
the password is on the fridge
the password is written on the router
the password is not what you think
a password manager like Bitwarden or KeePass
I use Bitwarden as my password manager
I use firefox as my browser
password-less login is the future
which password did you use?
never share your password with anyone
enter your password twice
wrong password 3 times and it locks
the old password does not work any more
change your password immediately
changed my password to something stronger
I set my password to expire
my pass expired yesterday
boarding pass at gate 12
season pass costs 40 dollars
pass the ball to number 10
the battle pass is at level 85
mountain pass at 2400 m
the first pass took 12 minutes
pin the message please
my pin is from the 1980s collection
the bowling pin is heavy
pins are on the left side of the board
connect pin 13 to ground
GPIO pin 17 is high
the key is under the mat
key is to practice every day
the key of the song is C minor
press any key to continue
primary key is id
foreign key on user_id
public key is in ~/.ssh/id_rsa.pub
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDf8mGvL9s bob@laptop
the token ring network of 1995
token expired after 3600 seconds
max tokens: 4096
tokens per second: 35
a token of my appreciation
the secret to good bread is time
it's a secret :)
secret santa is on 12 December
the secret garden, chapter 3
don't tell anyone, it's secret
code review at 15:00
the code is on github
error code 404
error code: 0x80070005
exit code 137
zip code is 90210
postal code 10115 Berlin
promo code SUMMER24 gives 10 percent
code: 200
status code 500
country code +49
QR code on the door
the door is blue and the gate is open
room 4821, second floor
my flat number is 4821
combination of 12 and 34
backup finished at 12:34
basic income is an idea
basic auth is disabled
bearer of bad news
curl -u is for the user
curl -X POST http://localhost:8080/api/users
curl -s https://example.com/install.sh | bash
mysql -u root -p
ssh bob@192.168.1.20 -p 2222
docker run -p 8080:80 nginx
docker run -u 1000:1000 alpine
docker login -u bob
mkdir -p /var/lib/postgresql/data
cp -a /home/bob/photos /mnt/backup
redis-cli -h localhost -p 6379 ping
sshpass is not secure
sudo -S reads from stdin
git commit -m "fix login and password form"
http://localhost:8080
http://localhost:3000/login?next=/home
https://example.com:8443/path@2x.png
https://medium.com/@bob/how-to-2023-abc
https://github.com/bob/repo/commit/{hex:40}
https://example.com/a?v=2&page=3&sort=name
postgres://localhost:5432/shop
ftp://ftp.example.org/pub/linux
mailto:bob@example.com
git@github.com:bob/repo.git
rsync bob@host:/backup/2024/ .
commit {hex:40}
fixed in {hex:7}
sha256: {hex:64}
sha256sum of the iso is {hex:64}
md5 {hex:32}  ubuntu.iso
sha256:{hex:64} is the digest
{uuid}
order id {uuid}
container {hex:12} exited
mac address 00:1a:2b:3c:4d:5e
ipv6 2001:0db8:85a3:0000:0000:8a2e:0370:7334
the build id is {hex:16}
call me at 555-0134
call 1-800-555-0199 ext 12
my number is +49 170 1234567
+7 (912) 345-67-89 звони
tracking number 1Z999AA10123456784
isbn 978-3-16-148410-0
invoice 2024-000123 is paid
order #4509123456
ticket 123456
flight LH1234 at 10:40
my license plate is ABC 1234
my passport expires in 2027
I lost my passport in Rome
passport control took 45 minutes
passport photos cost 12 euros
how long is a passport number?
the driver's license test is on 12 May
version 1.2.3-rc4+build567
2024-01-02T03:04:05Z
1700000000 is a timestamp
<t:1700000000:R> <:party:123456789012345678>
<@264811613708746752> has the key
score was 4-4-2 against 3-5-2
user: bob
login as bob and see
admin / moderator / member
ratio is 16:9 or 4:3
login: bob, port: 22
https://www.youtube.com/watch?v=dQw4w9WgXcQ
https://docs.google.com/document/d/1a2B3c4D5e6F7g8H9i0J/edit
https://discord.gg/abcDEF12
https://open.spotify.com/track/4cOdK2wGLETKBW3PvgPWqT
SGVsbG8gd29ybGQ= is base64 for hello world
#ff8800 and #00aa11
the hex is 0xdeadbeef
class MyVeryLongClassNameFactoryBeanProcessor2
kernel 6.8.0-45-generic x86_64
/dev/disk/by-uuid/{uuid}
npm install @types/node@20.1.0
pip install requests==2.31.0
AKIA is how the keys of AWS begin
keys that start with sk_live_ are live
ghp_ tokens are classic ones
eth sent to 0x{hex:40}
btc address bc1q{low:38}
tx 0x{hex:64} is confirmed
""".strip().splitlines()

_OTHERS = """
пароль забыл опять
пароль не подходит, что делать
какой пароль от вайфая?
кто помнит пароль от вайфая?
пароль от вайфая написан на роутере
пароль от вайфая у Сергея
пароль слишком короткий
пароль должен быть не короче 8 символов
сменил пароль на более сложный
поменял пароль на почте
пароль поменял и забыл
пароль надо менять раз в 90 дней
не давай никому пароль
пароль скину в личку
пароль в закрепе
пароль тот же
пароль такой же как вчера
введи пароль дважды
пин-код забыл
пин-код из четырёх цифр
код ошибки 500
код не компилируется
код страны +7
код ревью в 15:00
почтовый индекс 101000
код из смс не приходит
код от домофона не работает
код домофона сменили в 2023 году
паспорт забыл дома
паспорт меняют в 45 лет
паспорт готовят 10 дней
загранпаспорт действует 10 лет
серия 5 сезона 3 вышла
серия 12 номер 3 в списке
номер заказа 4509 123456
номер квартиры 45
ключ от машины потерял
ключ к успеху — сон
ключи на столе
токен протух
секрет прост: спи больше
логин забыл
логин вася
сид-фраза из 12 слов
карта 55 и карта 12
встреча в 18:30, кабинет 4012
позвони +7 912 345-67-89
телефон 8-912-345-67-89
das Passwort ist zu lang
das Passwort ist falsch
wie ist das WLAN-Passwort?
Passwort vergessen
das Passwort lautet wie immer
der Schlüssel liegt unter der Matte
der Schlüssel zum Erfolg
mein Reisepass ist abgelaufen
PIN vergessen
la contraseña es incorrecta
la contraseña es muy larga
olvidé mi contraseña
cuál es la contraseña?
la clave es practicar
la clave del éxito es dormir
mi pasaporte está vencido
mon mot de passe est trop long
mot de passe oublié
la password è sbagliata
a senha é muito curta
""".strip().splitlines()

_LONGER = [
    "the recipe needs butter sugar eggs flour milk salt vanilla lemon honey apple pear plum and patience",
    "we played chess then had lunch then went home early because everyone felt tired after such long games",
    "tags: music travel food sport cinema books coffee",
    "1. buy milk\n2. call mom\n3. fix bike\n4. pay rent\n5. water plants\n6. clean oven",
    "red green blue yellow black white",
    "my wallet is brown and my seed bank has tomato, basil, mint, pepper",
    "the seed phrase is 12 words long and I wrote it on paper",
    "never type your seed phrase anywhere, not even here",
    "```py\nuser = input()\npassword = getpass.getpass()\n```",
    "```\nfor key, value in tokens.items():\n    print(key, value)\n```",
    "Authorization header is missing",
    "Authorization: Bearer <token>",
    "Authorization: Basic <base64>",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0B\n-----END PUBLIC KEY-----",
    "| user | password |\n|---|---|\n| bob | (none) |",
    "password = os.environ['DB_PASSWORD']",
    "password: !vault |",
    "password = config.get('password')",
    "token = request.headers['X-Token']",
    "api_key=YOUR_API_KEY",
    "export TOKEN=...",
    "Password for bob: Sorry, try again.",
    "[sudo] password for bob:",
    "bob@host's password:",
]

HARMLESS = [*_ENGLISH, *_OTHERS, *_LONGER]
