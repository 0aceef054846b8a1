import { BadRequestException, Body, Controller, Get, Injectable, Module } from '@nestjs/common';
import { NotFoundException, Param, ParseIntPipe, Post } from '@nestjs/common';

interface Cat {
  readonly id: number;
  readonly name: string;
}

@Injectable()
export class CatsService {
  readonly #cats: Cat[] = [{ id: 1, name: 'Tom' }];

  all(): readonly Cat[] {
    return this.#cats;
  }

  one(id: number): Cat {
    const cat = this.#cats.find((each) => each.id === id);
    if (cat === undefined) throw new NotFoundException(`no cat ${id}`);
    return cat;
  }

  add(name: string): Cat {
    const cat = { id: this.#cats.length + 1, name };
    this.#cats.push(cat);
    return cat;
  }
}

@Controller('cats')
export class CatsController {
  constructor(private readonly cats: CatsService) {}

  @Get()
  all(): readonly Cat[] {
    return this.cats.all();
  }

  @Get(':id')
  one(@Param('id', ParseIntPipe) id: number): Cat {
    return this.cats.one(id);
  }

  @Post()
  add(@Body('name') name: unknown): Cat {
    if (typeof name !== 'string' || name === '') throw new BadRequestException('name has to be a text');
    return this.cats.add(name);
  }
}

@Module({ controllers: [CatsController], providers: [CatsService] })
export class AppModule {}
